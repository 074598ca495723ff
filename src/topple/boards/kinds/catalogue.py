"""The kinds of boards with their options, and `load_board`, which builds a board from a text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from topple.boards.board import MAX_EDGES, MAX_NETWORKS, MAX_VERTICES, Board
from topple.boards.files.reading import (
    FILE_OPTIONS,
    KNOWN_ENDINGS,
    file_board,
    is_file,
    split_file_spec,
)
from topple.boards.files.snapshots import SNAPSHOT_OPTIONS, snapshots_board, split_snapshots
from topple.boards.kinds.datasets import (
    davis_board,
    florentine_board,
    karate_board,
    miserables_board,
)
from topple.boards.kinds.digraphs import digraph_board, eulerian_board
from topple.boards.kinds.grids import grid_board, torus_board
from topple.boards.kinds.growth import growing_board
from topple.boards.kinds.hexes import hex_board, infexion_board
from topple.boards.kinds.influence import ring_board, segment_board, tree_board
from topple.boards.kinds.random_networks import (
    barabasi_albert,
    erdos_renyi,
    lancichinetti,
    planted_partition,
    random_digraph,
    watts_strogatz,
)
from topple.boards.kinds.rewiring import rewired_board
from topple.boards.kinds.shapes import complete_board, cycle_board, path_board, star_board
from topple.core.errors import BadText, unknown
from topple.core.spec import Option, Spec, parse_spec, read_options
from topple.core.text import MAX_SPEC, is_plain, one_line

# NetworkX takes minutes for more.
MAX_LFR_VERTICES = 20_000
MAX_WAIT = 1_000_000  # plies between two changes


@dataclass(frozen=True)
class BoardKind:
    """A kind of board: how it is written, what it means, and how it is built.

    `bare` names the option that a value without a key sets, such as the 5x5 of
    `grid:5x5`. `structural` says whether the spec makes the same board on any machine
    and with any release of NetworkX.
    """

    name: str
    example: str
    meaning: str
    options: tuple[Option, ...]
    build: Callable[..., Board]
    bare: str = ""
    structural: bool = True
    split: Callable[[str], Spec] = parse_spec
    reads_files: bool = False

    def load(self, text: str) -> Board:
        """Build the board that a spec of this kind names.

        Raises
        ------
        BadText
            If the spec has an unknown option, a wrong value, or too many values.
        BadBoard
            If there is no such board.
        """
        return self.build(**self.read(text))

    def read(self, text: str) -> dict[str, Any]:
        """The options that a spec of this kind sets, and the defaults of the others.

        Raises
        ------
        BadText
            If the spec has an unknown option, a wrong value, or too many values.
        """
        spec = self.split(text)
        given: dict[str, object] = dict(spec.options)
        bare = [self.bare] if self.bare else []
        if len(spec.values) > len(bare):
            extra = one_line(spec.values[len(bare)], 40)
            raise BadText(f"{extra!r} is too much for {self.name}: write {self.example}")
        for name, value in zip(bare, spec.values, strict=False):
            if name in given:
                raise BadText(f"{self.name} is given {name!r} twice")
            given[name] = value
        return read_options(self.name, self.options, given)


def _count(name: str, default: int | None, least: int, most: int, meaning: str) -> Option:
    return Option(name, default, int, meaning, least=least, most=most)


def _share(name: str, default: float | None, meaning: str) -> Option:
    return Option(name, default, float, meaning, least=0, most=1)


def _vertices(default: int, least: int = 2, most: int = MAX_VERTICES) -> Option:
    return _count("n", default, least, most, "number of vertices")


_SEED = _count(
    "seed",
    1,
    0,
    2**62,
    "the first seed to try; the next ones follow if the network is not connected",
)
_EVERY = "plies between two changes"


def _rewired(base: str, **options: Any) -> Board:
    return rewired_board(load_board(base), **options)


_SIZE = Option("size", "5x5", str, "ROWSxCOLUMNS, or one number for both")

_KINDS = (
    BoardKind("grid", "grid:5x5", "a grid of squares", (_SIZE,), grid_board, "size"),
    BoardKind(
        "torus",
        "torus:5x5",
        "a grid whose opposite sides are joined",
        (_SIZE,),
        torus_board,
        "size",
    ),
    BoardKind(
        "hex",
        "hex:11",
        "the rhombus of hexagons for Hex",
        (_count("n", 11, 1, 26, "rows and columns"),),
        hex_board,
        "n",
    ),
    BoardKind(
        "infexion",
        "infexion:7",
        "the wrapping board of hexagons for Infexion",
        (_count("n", 7, 3, 10, "rows and columns"),),
        infexion_board,
        "n",
    ),
    BoardKind("path", "path:9", "vertices in a line", (_vertices(9),), path_board, "n"),
    BoardKind("cycle", "cycle:9", "vertices in a circle", (_vertices(9, 3),), cycle_board, "n"),
    BoardKind(
        "star", "star:9", "one vertex joined to all others", (_vertices(9),), star_board, "n"
    ),
    BoardKind(
        "complete",
        "complete:6",
        "every vertex joined to every other",
        (_vertices(6),),
        complete_board,
        "n",
    ),
    BoardKind(
        "segment",
        "segment:10+5p",
        "a sum of alternated directed paths for INFLUENCE",
        (Option("lengths", "17", str, "numbers of vertices joined by +; p: one L more than R"),),
        segment_board,
        "lengths",
    ),
    BoardKind(
        "ring",
        "ring:12",
        "an alternated directed cycle for INFLUENCE",
        (_count("n", 12, 4, MAX_VERTICES, "number of vertices, even"),),
        ring_board,
        "n",
    ),
    BoardKind(
        "tree",
        "tree:n=2,c=4",
        "oriented trees for INFLUENCE: few L vertices above many R leaves",
        (
            _count("n", 2, 0, 10, "levels of vertices with 3 successors"),
            _count("c", 4, 1, MAX_VERTICES, "leaves below each vertex of level n"),
            _count("copies", 1, 1, MAX_VERTICES, "number of trees"),
        ),
        tree_board,
    ),
    BoardKind(
        "ba",
        "ba:n=24,m=3,seed=1",
        "a random network with hubs (Barabási and Albert)",
        (
            _vertices(24),
            _count("m", 3, 1, MAX_VERTICES, "edges of each new vertex"),
            _share("p", 0.0, "probability that a new vertex has one edge more"),
            _SEED,
        ),
        barabasi_albert,
        structural=False,
    ),
    BoardKind(
        "ws",
        "ws:n=24,k=4,p=0.1,seed=1",
        "a random small world (Watts and Strogatz)",
        (
            _vertices(24, 3),
            _count("k", 4, 2, MAX_VERTICES, "neighbours on the ring, even"),
            _share("p", 0.1, "probability that an edge is redirected"),
            _SEED,
        ),
        watts_strogatz,
        structural=False,
    ),
    BoardKind(
        "er",
        "er:n=24,p=0.15,seed=1",
        "a random network of independent edges (Erdős and Rényi)",
        (
            _vertices(24),
            _share("p", None, "probability of each edge, 0.15 unless m is given"),
            _count("m", None, 1, MAX_EDGES, "number of edges, instead of p"),
            _SEED,
        ),
        erdos_renyi,
        structural=False,
    ),
    BoardKind(
        "lfr",
        "lfr:n=250,seed=1",
        "a random network with communities (Lancichinetti, Fortunato and Radicchi)",
        (
            _vertices(250, 3, MAX_LFR_VERTICES),
            Option("tau1", 3.0, float, "exponent of the degrees", least=1.01, most=100),
            Option("tau2", 1.5, float, "exponent of the community sizes", least=1.01, most=100),
            _share("mu", 0.1, "share of a vertex's edges that leave its community"),
            Option("average_degree", 5.0, float, "average degree", least=1, most=MAX_VERTICES),
            _count("min_community", 20, 1, MAX_VERTICES, "size of the smallest community"),
            _count("max_degree", None, 1, MAX_VERTICES, "largest degree, n unless given"),
            _count("max_community", None, 1, MAX_VERTICES, "size of the largest community"),
            _SEED,
        ),
        lancichinetti,
        structural=False,
    ),
    BoardKind(
        "random-digraph",
        "random-digraph:n=40,m=80,seed=1",
        "random arcs between vertices of random sides, for INFLUENCE",
        (_vertices(40), _count("m", 80, 0, MAX_EDGES, "number of arcs"), _SEED),
        random_digraph,
        structural=False,
    ),
    BoardKind(
        "sbm",
        "sbm:n=24,communities=3,p_in=0.5,p_out=0.1,seed=1",
        "a random network with communities of equal size (planted partition)",
        (
            _vertices(24),
            _count("communities", 3, 1, 1_000, "number of communities"),
            _share("p_in", 0.5, "probability of an edge within a community"),
            _share("p_out", 0.1, "probability of an edge between two communities"),
            _SEED,
        ),
        planted_partition,
        structural=False,
    ),
    BoardKind(
        "digraph",
        "digraph:n=24,k=3,sinks=0,seed=1",
        "a random digraph, with sinks where you like",
        (
            _vertices(24),
            _count("k", 3, 1, MAX_VERTICES, "arcs from each vertex"),
            _count("sinks", 0, 0, MAX_VERTICES, "vertices that no arc leaves"),
            _SEED,
        ),
        digraph_board,
        structural=False,
    ),
    BoardKind(
        "eulerian",
        "eulerian:n=24,k=3,seed=1",
        "a random strongly connected digraph with as many arcs into each vertex as out of it",
        (
            _vertices(24),
            _count("k", 3, 1, MAX_VERTICES, "arcs from each vertex, and into it"),
            _SEED,
        ),
        eulerian_board,
        structural=False,
    ),
    BoardKind(
        "rewiring",
        "rewiring:base=karate,every=10,share=0.1,changes=10,seed=1",
        "a board that changes: every so many plies a share of its edges moves",
        (
            Option("base", "karate", str, "the first network; in quotes if it has commas"),
            _count("every", 10, 1, MAX_WAIT, _EVERY),
            _share("share", 0.1, "share of the edges that move at each change, at least one"),
            _count("changes", 10, 1, MAX_NETWORKS - 1, "how many times it changes"),
            Option("degrees", False, bool, "whether every vertex keeps its degree"),
            _count("seed", 1, 0, 2**62, "fixes which edges move, and where to"),
        ),
        _rewired,
        "base",
        structural=False,
    ),
    BoardKind(
        "growth",
        "growth:n=24,m=3,first=8,every=2,step=2,seed=1",
        "a board that grows as ba does: new vertices prefer to join those of high degree",
        (
            _vertices(24, 3),
            _count("m", 3, 1, MAX_VERTICES, "edges of each new vertex"),
            _count("first", 8, 2, MAX_VERTICES, "vertices that have edges from the start"),
            _count("every", 2, 1, MAX_WAIT, _EVERY),
            _count("step", 2, 1, MAX_VERTICES, "vertices that join at each change"),
            _count("seed", 1, 0, 2**62, "fixes the network"),
        ),
        growing_board,
        structural=False,
    ),
    BoardKind(
        "karate", "karate", "Zachary's karate club, 34 vertices", (), karate_board, structural=False
    ),
    BoardKind(
        "miserables",
        "miserables",
        "the characters of Les Misérables, 77 vertices",
        (),
        miserables_board,
        structural=False,
    ),
    BoardKind(
        "florentine",
        "florentine",
        "marriages between Florentine families, 15 vertices",
        (),
        florentine_board,
        structural=False,
    ),
    BoardKind(
        "davis",
        "davis",
        "Southern women and the events they went to, 32 vertices",
        (),
        davis_board,
        structural=False,
    ),
    BoardKind(
        "file",
        "file:mynet.graphml",
        "your own network: GraphML, GEXF, GML, CSV, TSV, columns of text or node-link JSON",
        FILE_OPTIONS,
        file_board,
        "path",
        structural=False,
        split=split_file_spec,
        reads_files=True,
    ),
    BoardKind(
        "snapshots",
        "snapshots:january.csv@0,june.csv@10",
        "your own network as it changes: one file for each time",
        SNAPSHOT_OPTIONS,
        snapshots_board,
        "files",
        structural=False,
        split=split_snapshots,
        reads_files=True,
    ),
)

BOARDS: Mapping[str, BoardKind] = {kind.name: kind for kind in _KINDS}


def load_board(text: str, *, files: bool = True) -> Board:
    """Build the board that a spec or a path names.

    Parameters
    ----------
    text
        `kind`, `kind:value` or `kind:key=value,key=value`, where `BOARDS` lists
        the kinds with their options; or the path of a network's file, which means
        the same as `file:PATH`.
    files
        False refuses files, for a text whose author must not read files here.

    Raises
    ------
    BadText
        If the kind, an option or a value is unknown; the message suggests the
        nearest valid name.
    BadBoard
        If there is no such board, or the file cannot be read as one.

    Examples
    --------
    >>> load_board("grid:5x5")
    <Board grid:5x5: 25 vertices, 40 edges>
    >>> load_board("ba:n=24,m=3,seed=1").labels[:3]
    ('1', '2', '3')
    >>> load_board("gird:5x5")
    Traceback (most recent call last):
        ...
    topple.core.errors.BadText: unknown board 'gird': did you mean 'grid'?
    """
    if files and is_path(text):
        text = f"file:{text}"
    kind = find_kind(text)
    if not files and names_files(text):
        raise BadText("a board from a file is not allowed here")
    return kind.load(text)


def names_files(text: str) -> bool:
    """Whether a spec, or that of the board it is made from, names files.

    Raises
    ------
    BadText
        If a spec cannot be read.

    Examples
    --------
    >>> names_files("karate"), names_files("file:net.csv"), names_files("rewiring:base=net.csv")
    (False, True, True)
    """
    kind = find_kind(text)
    if kind.reads_files or not any(option.name == "base" for option in kind.options):
        return kind.reads_files
    base = kind.read(text)["base"]
    return is_path(base) or names_files(base)


def is_path(text: Any) -> bool:
    """Whether a text names a network's file rather than a kind of board.

    The name of a kind wins over a file of that name. Any other text is a path if it ends like
    a network's file, names something that exists, or could be nothing but a path.

    >>> is_path("net.csv"), is_path("gird:5x5"), is_path("karate")
    (True, False, False)
    """
    if not isinstance(text, str) or not is_plain(text) or not text.strip():
        return False
    head, colon, _ = text.partition(":")
    if head.strip() in BOARDS:
        return False
    path = split_file_spec(f"file:{text}").values[0]
    if path.lower().endswith(KNOWN_ENDINGS) or is_file(path):
        return True
    return not colon and ("." in path or "/" in path)


def find_kind(text: Any) -> BoardKind:
    """Find the kind of board that a spec begins with.

    Raises
    ------
    BadText
        If the text cannot be a spec or there is no such kind.

    Examples
    --------
    >>> find_kind("hex:11").meaning
    'the rhombus of hexagons for Hex'
    """
    if not isinstance(text, str) or not is_plain(text) or len(text) > MAX_SPEC:
        raise BadText(f"a board is one line of at most {MAX_SPEC:,} characters, such as grid:5x5")
    name = text.partition(":")[0].strip()
    if not name:
        raise BadText(f"{one_line(text, 40)!r} names no board: write for example grid:5x5")
    if name not in BOARDS:
        raise BadText(unknown("board", one_line(name, 40), BOARDS))
    return BOARDS[name]
