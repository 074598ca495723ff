// The shapes of the lab's replies (see topple/lab/server and its OpenAPI document) and of what the page's
// modules hand to each other. Everything here is global, so that the modules name a shape without importing it.

// Replies of the server

type Cell = number[]; // owner or -1, whether it is gone, then counts by player
type Change = [vertex: number, cell: Cell];
type Interval = [number | null, number | null];
type Point = [x: number, y: number];

/** A network of a board; `accept` is empty where every edge takes every token. */
interface NetworkData {
  edges: Point[];
  thresholds: number[];
  accept: number[];
}

interface BoardData extends NetworkData {
  board: string;
  spec: string;
  form: "squares" | "hexes" | "network";
  wraps: boolean;
  rows: number;
  columns: number;
  directed: boolean;
  labels: string[];
  places: Point[];
  later: (NetworkData & { ply: number })[];
  communities: string[];
  sides: string;
  notes: string[];
  has_net: boolean;
  vertices: number;
  n_edges: number;
}

interface PlaceData {
  move: number;
  text: string;
  vertex: number | null;
}

interface LegalMove extends PlaceData {
  to: number | null;
}

interface PlayedMove extends PlaceData {
  player: number;
}

/** Who holds a community: vertices and tokens there for each player. */
interface HoldingData {
  community: string;
  size: number;
  vertices: number[];
  tokens: number[];
}

interface StepData {
  network: number | null;
  vertex: number | null;
  text: string;
  changes: Change[];
}

interface ViewData {
  game: string;
  title: string;
  board: string;
  players: string[];
  chance: boolean;
  has_net: boolean;
  ply: number;
  player: number;
  over: boolean;
  result: { winner: number | null; winners: number[]; text: string; returns: number[] } | null;
  legal: LegalMove[];
  cells: Cell[];
  tallies: { name: string; values: number[] }[];
  holdings: HoldingData[];
  network: number;
  network_before: number;
  changes_in: number | null;
  borders: number[];
  takers: number[];
  chain: number[];
  headline: string;
  text: string;
  moves: PlayedMove[];
  placed: Change[];
  steps: StepData[];
  steps_cut: boolean;
}

interface OptionData {
  name: string;
  default: number | boolean | string | null;
  kind: string;
  choices: string[];
  least: number | null;
  most: number | null;
  meaning: string;
}

interface GameData {
  name: string;
  title: string;
  summary: string;
  players: string[];
  board: string;
  boards: string[];
  seats: string[];
  free: string[];
  has_net: boolean;
  options: OptionData[];
}

interface AgentData {
  name: string;
  summary: string;
  most_players: number;
  needs_net: boolean;
  options: OptionData[];
}

interface BoardKindData {
  name: string;
  example: string;
  meaning: string;
  options: OptionData[];
}

interface CatalogueData {
  version: string;
  games: GameData[];
  agents: AgentData[];
  boards: BoardKindData[];
  limits: Record<string, number>;
}

interface CandidateData extends PlaceData {
  value: number | null;
  visits: number;
  share: number;
  prior: number | null;
  interval: [number, number] | null;
  exact: boolean;
  proven: string | null;
  judged: boolean;
}

interface DecisionData extends PlaceData {
  value: number | null;
  proven: string | null;
  judged: boolean;
  unit: string;
  variation: PlaceData[];
  candidates: CandidateData[];
  effort: { simulations: number; nodes: number; depth: number; seconds: number };
}

interface MistakeData {
  ply: number;
  player: number;
  move: number;
  text: string;
  vertex: number | null;
  best: number;
  best_text: string;
  best_vertex: number | null;
  loss: number | null;
  interval: [number | null, number | null];
  grade: "slip" | "mistake" | "blunder";
}

/** What is said of a move on the board, with its vertex and that of a better one. */
interface Remark {
  text: string;
  played: number | null;
  better: number | null;
}

interface ReviewData {
  values: (number | null)[];
  mistakes: MistakeData[];
  weighed: number;
  doubts: number;
  unit: string;
  done: number;
  of: number;
}

interface SolutionData {
  value_text: string;
  best: number[];
  moves: (PlaceData & { value: number | number[]; text_value: string })[];
}

interface TournamentData {
  played: number;
  of: number;
  standings: StandingsData | null;
}

/** A job. What it has found so far, `latest`, has another shape for each kind of job. */
interface JobData<Latest = any> {
  id: string;
  kind: "think" | "review" | "solve" | "tournament";
  title: string;
  state: "queued" | "running" | "done" | "stopped" | "failed";
  place: number;
  asked: JobForm;
  latest: Latest | null;
  error: string | null;
  note: string | null;
}

/** What a job is asked for; which parts there are depends on its kind. */
interface JobForm {
  kind: "think" | "review" | "solve" | "tournament";
  game?: string;
  board?: string;
  moves?: Move[];
  agent?: string;
  seconds?: number;
  seed?: number;
  turn?: boolean;
  name?: string;
  games?: string[];
  boards?: string[];
  agents?: string[];
  games_per_pairing?: number;
  plies?: number;
}

interface RatingData {
  agent: string;
  elo: number | null;
  elo_interval: Interval | null;
  games: number;
  score: number | null;
  score_interval: Interval | null;
}

interface AgentTotalsData {
  agent: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  score: number | null;
  moves: number;
  seconds_per_move: number;
  simulations_per_move: number;
  nodes_per_move: number;
  forfeits: Record<string, number>;
  forfeit_reasons?: Record<string, string>;
}

interface PairingData {
  agents: [string, string];
  wins: number;
  draws: number;
  losses: number;
  score: number | null;
  score_interval: Interval | null;
}

interface ContestData {
  game: string;
  board: string;
  games: number;
  mean_plies: number;
  first_move: number | null;
  first_move_interval: Interval | null;
  agents: AgentTotalsData[];
  pairings: PairingData[];
}

interface StandingsData {
  games: number;
  ratings: RatingData[];
  contests: ContestData[];
  agents: AgentTotalsData[];
}

interface StoreData {
  name: string;
  games: number;
  agents: string[];
  running: boolean;
  planned: number;
  error: string | null;
}

/** A network that was opened before. */
interface KeptBoardData {
  board: string;
  name: string;
}

interface StoreReport {
  standings: StandingsData | null;
  letters: Record<string, string>;
  plots: Record<string, string>;
  asked: JobForm | null;
  planned: number;
  tournaments: unknown[];
}

interface StoreGame {
  key: string;
  game: string;
  board: string;
  agents: string[];
  returns: number[];
  plies: number;
  ending: string | null;
}

interface SavedGame {
  id: number;
  name: string;
  game: string;
  board: string;
  players: string[];
  result_text: string;
  plies: number;
  saved: string;
}

type PaperValue = number | boolean | string | null;

interface PaperItem {
  name: string;
  kind: string;
  number: string;
  title: string;
  section: string;
  verdict: string;
  cells: {
    row: string;
    column: string;
    choice: string;
    published: PaperValue | { value: PaperValue; margin: number | null };
    measured: { value: PaperValue; low: number | null; high: number | null; games: number } | null;
    verdict: string;
  }[];
  claims: { claim: string; verdict: string }[];
  why: { why: string; verdict: string }[];
  choices: { choice: string; about: string }[];
  notes: string[];
  games: {
    games: string;
    n_games: number;
    planned: number;
    fields: { game: string; board: string }[];
    agents: Record<string, string>;
    about: string;
  }[];
  n_games: number;
  command: string;
}

interface PaperData {
  name: string;
  title: string;
  authors: string;
  source: string;
  store: string | null;
  items: PaperItem[];
  charts?: Record<string, string>;
}

// What the page's modules hand to each other

type Move = number | string;
type HeatKind = "value" | "prior"; // what the heat map shows
type Page = "play" | "analyse" | "games" | "compare" | "papers";

/** What `openPage` of each page's module gives. */
interface OpenedPage {
  close(): void;
}

/** What ended a game before its rules did. */
interface Ending {
  by: string;
  player: number | null;
}

/** A line of play in an address: all its moves, and the ply that is shown. */
interface LineData {
  game: string;
  board: string;
  moves: Move[];
  at?: number;
  players?: string[];
  time?: string;
  ending?: Ending | null;
}

/** The same as a page keeps it, with everything there. */
interface FullLine extends LineData {
  at: number;
  players: string[];
  title?: string;
}

interface Options {
  isAnimated?: boolean;
}

interface TimeControl {
  base: number;
  increment: number;
}

interface LineNode {
  id: number;
  parent: LineNode | null;
  ply: number;
  children: LineNode[];
  next: LineNode | null;
  move: Move | null;
  number: number | null;
  text: string;
  vertex: number | null;
  player: number | null;
  draw: string;
}

type LineEntry = Pick<LineNode, "move" | "number" | "text" | "vertex" | "player" | "draw">;

/** How a game is shown. */
interface Looks {
  gauge: "threshold" | "degree" | null;
  stacks: boolean;
  sides: boolean;
  letters: boolean;
  owns: boolean;
  accept: number | null;
  drops: boolean;
  players: string[];
  colours: string[];
  signs: string[];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a vertex is drawn; a board that wraps shows some vertices twice, as ghosts. */
interface Place {
  vertex: number;
  x: number;
  y: number;
  isGhost: boolean;
}

/** A drawn vertex. */
interface Spot extends Place {
  group: SVGGElement;
  body: SVGElement;
  pieces: SVGGElement;
  radius: number;
  isCrowded: boolean;
  isSink: boolean;
  capacity: number;
  side: string;
  taker: number;
}

/** How a kind of board is laid out. */
interface Layout {
  kind: "cells" | "network";
  spots: Place[];
  radius: number;
  box: Box;
  body(): SVGElement;
  behind(layer: SVGGElement): void;
  edges?(layer: SVGGElement): import("../../src/topple/lab/static/js/board/edges.js").Edges;
  labels?(layer: SVGGElement): void;
}

/** An edge as it is drawn; one of two arcs between the same vertices is bent. */
interface DrawnEdge {
  tail: number;
  head: number;
  share: number;
  isBent: boolean;
}

/** A part of a move: what it changes, and the network on which it happens. */
interface MoveFrame {
  vertex: number | null;
  text: string;
  changes: Change[];
  undo: Change[];
  network: number;
}

type PlaceOf = (row: number, column: number) => Point;
type Holder = [player: number, count: number];
type Texts = Record<string, string>;

interface Attributes {
  [name: string]: string | number | boolean | null | undefined | ((event: any) => void);
  onclick?: (event: MouseEvent) => void;
  onpointerenter?: (event: PointerEvent) => void;
  onpointerleave?: (event: PointerEvent) => void;
  onfocusin?: (event: FocusEvent) => void;
  onfocusout?: (event: FocusEvent) => void;
}

type Child = Node | string | number | boolean | null | undefined | Child[];

interface Column<Row> {
  name: string | Node;
  words?: boolean;
  title?: string;
  value(row: Row): Child;
}

type Line = import("../../src/topple/lab/static/js/state/line.js").Line;
type Clock = import("../../src/topple/lab/static/js/state/clock.js").Clock;
type Follower = import("../../src/topple/lab/static/js/jobs.js").Follower;
type BoardView = import("../../src/topple/lab/static/js/board/board.js").BoardView;
type PlayGame = import("../../src/topple/lab/static/js/play/game.js").PlayGame;
type BoardPanel = import("../../src/topple/lab/static/js/board/board_panel.js").BoardPanel;
type Engine = import("../../src/topple/lab/static/js/analyse/engine.js").Engine;
type AnalysePage = import("../../src/topple/lab/static/js/analyse/page.js").AnalysePage;
type PlayerChooser = import("../../src/topple/lab/static/js/parts/player_chooser.js").PlayerChooser;

interface CallOptions {
  tries?: number;
  signal?: AbortSignal;
  raw?: boolean;
}

/** What a game shows: a view, and the cells before its last move. */
interface ShownPosition {
  view: ViewData;
  before: Cell[] | null;
  isAnimated: boolean;
  isAtEnd: boolean;
  load: number;
}

/** A note beside a move in the list. */
interface Note {
  symbol: string;
  text: string;
}

/** What a view says of its last move: the cells after it, and the steps that led to them. */
type MoveSteps = Pick<ViewData, "cells" | "placed" | "steps" | "steps_cut" | "network" | "network_before">;
