/** What is on a vertex, in words, for screen readers and tips. */

export function describeCell(label, cell, spot, looks) {
  const [owner, gone, ...counts] = cell;
  if (gone) return `${label}: taken`;
  const held = counts
    .map((count, player) => (count ? `${count} ${looks.players[player]}` : ""))
    .filter(Boolean);
  const parts = [];
  if (held.length) parts.push(held.join(", "));
  if (!counts.length && owner >= 0) parts.push(looks.players[owner]);
  if (counts.length && owner >= 0 && !(held.length === 1 && counts[owner]))
    parts.push(`owned by ${looks.players[owner]}`);
  if (!parts.length) parts.push("empty");
  if (looks.gauge && spot.capacity) parts.push(`full at ${spot.capacity}`);
  return `${label}: ${parts.join(", ")}`;
}
