"""INFLUENCE: what its authors have proved and computed."""

from topple.papers.paper import (
    Between,
    Claim,
    Computed,
    Fact,
    Holds,
    Item,
    ItemCell,
    Number,
    Paper,
    Why,
)

# Table 1: Ls(S_n) and Rs(S_n) for n = 1 … 19, then for n = 20 … 38.
LEFT = (
    *(-1, 2, 3, 4, 1, 2, 3, 2, 1, 2, 3, 2, 1, 4, 3, 2, 1, 2, 3),
    *(2, 1, 4, 3, 2, 1, 2, 3, 2, 1, 4, 3, 2, 1, 2, 3, 2, 1, 2),
)
RIGHT = (
    *(-1, -2, -3, -4, -5, -2, -1, -2, -3, -2, -1, -2, -3, -4, -3, -2, -3, -2, -3),
    *(-2, -5, -4, -3, -2, -3, -2, -3, -2, -5, -4, -3, -2, -3, -2, -3, -2, -5, -2),
)

LEAVES = (1, 2, 3, 5, 9)  # of the trees, at every scale
DEPTHS = (0, 1, 2, 3)

COMPUTED = (
    Computed("figure 1", "influence-example"),
    Computed("table 1", "influence-segments", full={"last": 38}, quick={"last": 38}),
    Computed(
        "sums",
        "influence-sums",
        full={"most": 70},
        quick={"most": 40},
        about="all sums of segments with at most one odd segment, up to a total number of vertices",
    ),
    Computed(
        "segments",
        "influence-segments",
        full={"last": 243, "memory": 3072},
        quick={"last": 120},
        about="the authors' program reached n = 80",
    ),
    Computed(
        "pairs",
        "influence-pairs",
        full={"last": 45, "plain_last": 9},
        quick={"last": 30, "plain_last": 6},
    ),
    Computed("rings", "influence-rings", full={"last": 160}, quick={"last": 100}),
    Computed(
        "trees",
        "influence-trees",
        full={"depths": [0, 1, 2, 3, 4], "leaves": [*LEAVES, 20]},
        quick={"depths": [*DEPTHS], "leaves": [*LEAVES]},
        about="the choice of n and c is ours; the paper proves it for all of them",
    ),
    Computed(
        "quasi-paths",
        "influence-quasi-paths",
        full={"longest": 10, "collections": 3000, "most_paths": 5, "most_vertices": 14},
        quick={"longest": 8, "collections": 200, "most_paths": 4, "most_vertices": 12},
        about="all quasi-paths up to a length, and random collections of longer ones",
    ),
)

FIGURE_1 = Item(
    kind="figure",
    number="1",
    title="A position where the first player wins",
    section="1, and Example 3",
    cells=tuple(
        ItemCell("figure 1", column, Fact("figure 1", (key,)), Number(published))
        for column, key, published in (
            ("s1 of Left", "left_first", 4),
            ("s2 of Right", "right_second", 2),
            ("s1 of Right", "right_first", 6),
            ("s2 of Left", "left_second", 0),
            ("Ls", "Ls", 2),
            ("Rs", "Rs", -6),
        )
    ),
    notes=(
        "The arcs follow from the text: u takes u, w, y, z; v takes v and x; y or z takes "
        "everything except the other one.",
    ),
)

VALUES = "values of "  # before Ls or Rs, in the columns

SECTION_4_1 = Item(
    kind="section",
    number="4.1",
    title="Proposition 19: scores of sums of segments",
    section="4.1",
    cells=(
        *(
            ItemCell(row, f"{VALUES}{score}", Fact("sums", (kind, score)), published)
            for row, kind, left, right in (
                ("C₌, even segments", "even", "0, 2, 4", "−4, −2, 0"),
                ("C₊, one odd with L ahead", "plus", "1, 3, 5", "−3, −1, 1"),
                ("C₋, one odd with R ahead", "minus", "−1, 1, 3", "−5, −3, −1"),
            )
            for score, published in (("Ls", left), ("Rs", right))
        ),
        ItemCell("10 + 17, of C₋", "Ls", Fact("sums", ("tight",)), Number(-1)),
        ItemCell("5 + 17, both of C₊", "Ls", Fact("sums", ("beyond",)), Number(6)),
        ItemCell("smallest of C₋ with Ls = −1", "segments", Fact("sums", ("first_tight",))),
        ItemCell("all classes", "sums solved", Fact("sums", ("n_sums",))),
        ItemCell("all classes", "vertices up to", Fact("sums", ("most",))),
    ),
    claims=(
        Claim(
            "Every sum with at most one odd segment has scores in the sets of its class.",
            (Holds(Fact("sums", ("holds",))),),
            "4.1, Proposition 19",
        ),
    ),
    notes=(
        "The sets are the smallest possible: the values found must be exactly these.",
        "The search assumes neither the proposition nor Theorem 20.",
        "10 + 17 is the paper's example of Ls = −1 in C₋; smaller sums have it too.",
    ),
)

SECTION_4_2 = Item(
    kind="section",
    number="4.2",
    title="Theorem 20 and Lemma 23: scores of single segments, and of pairs",
    section="4.2",
    cells=(
        *(
            ItemCell(
                row, f"{VALUES}{score}", Fact("segments", ("theorem_20", key, score)), published
            )
            for row, key, score, published in (
                ("C₌", "even", "Ls", "2, 4"),
                ("C₌", "even", "Rs", "−4, −2"),
                ("C₋", "minus", "Ls", "1, 3"),
                ("C₋", "minus", "Rs", "−5, −3, −1"),
                ("C₋ with |L| odd", "minus_odd", "Ls", "3"),
                ("C₊", "plus", "Ls", "1, 3, 5"),
                ("C₊", "plus", "Rs", "−3, −1"),
                ("C₊ with |L| even", "plus_even", "Rs", "−3"),
            )
        ),
        ItemCell("all segments", "largest lead", Fact("segments", ("theorem_20", "most"))),
        ItemCell("all segments", "vertices up to", Fact("segments", ("last",))),
        ItemCell("Lemma 23", "k up to", Fact("pairs", ("last",))),
    ),
    claims=(
        Claim(
            "The player who moves first on a segment gets more than the other.",
            (Holds(Fact("segments", ("theorem_20", "first_wins"))),),
            "4.2, Corollary 21",
        ),
        Claim(
            "The two players' scores differ by at most 5.",
            (Between("all segments", "largest lead", high=5),),
            "1.3",
        ),
        Claim(
            "Two equal even segments, or one of C₋ and one of C₊ of the same length: Rs = 0.",
            (
                Holds(Fact("pairs", ("point_1",))),
                Holds(Fact("pairs", ("point_2",))),
                Holds(Fact("pairs", ("plainly",))),
            ),
            "4.2, Lemma 23, points 1 and 2",
        ),
        Claim(
            "2k and 2k + 2: Rs = −2. 2k and 2k + 1 in C₊: Rs = −1.",
            (Holds(Fact("pairs", ("point_3",))), Holds(Fact("pairs", ("point_4",)))),
            "4.2, Lemma 23, points 3 and 4",
        ),
        Claim(
            "2k and 2k − 1 in C₊: Rs ≥ −1.",
            (Holds(Fact("pairs", ("point_5",))),),
            "4.2, Lemma 23, point 5",
        ),
    ),
    notes=(
        "Our search assumes points 1 and 2, since it cancels opposite segments; a plain "
        "recursion checks them as well for small k.",
    ),
)

ZERO_OR_TWO = "Ls is 0 or 2."
CYCLES = Item(
    kind="section",
    number="4.2 cycles",
    title="Corollary 24: scores of cycles",
    section="4.2",
    cells=(
        ItemCell("all cycles", f"{VALUES}Ls", Fact("rings", ("values",)), "0, 2"),
        ItemCell("cycles with |L| odd", f"{VALUES}Ls", Fact("rings", ("values_odd",)), "0"),
        ItemCell("the cycle of 4", f"{VALUES}Ls", Fact("rings", ("of_4",))),
        ItemCell("cycles of 6 and more", f"{VALUES}Ls", Fact("rings", ("values_after_4",))),
        ItemCell("all cycles", "vertices up to", Fact("rings", ("last",))),
        ItemCell("all cycles", "exceptions", Fact("rings", ("counterexamples",))),
    ),
    claims=(
        Claim(ZERO_OR_TWO, (Holds(Fact("rings", ("holds",))),), "4.2, Corollary 24"),
        Claim(
            "Ls is 0 if |L| is odd.",
            (Holds(Fact("rings", ("holds_for_odd",))),),
            "4.2, Corollary 24",
        ),
    ),
    why=(
        Why(
            "The proof assumes that the first move leaves a segment of C₊. On the cycle of 4 "
            "it leaves a single vertex, which is not a segment by Definition 16 and is "
            "forced: the first player takes all four vertices, so Ls = 4. It is the only "
            "exception that we found.",
            (Holds(Fact("rings", ("only_4_is_against",))),),
            explains=(ZERO_OR_TWO, "all cycles"),
        ),
    ),
    notes=(
        "The proof prints Ls(G) = 3 − Rs(G_i), but the points after the move must be added: 3 "
        "+ Rs(G_i).",
    ),
    form="curves",
    curves=("rings",),
)

TABLE_1 = Item(
    kind="table",
    number="1",
    title="First values of Ls(S_n) and Rs(S_n)",
    section="4.3",
    cells=tuple(
        ItemCell(row, str(n), Fact("table 1", ("series", row, n - 1)), Number(published))
        for row, values in (("Ls", LEFT), ("Rs", RIGHT))
        for n, published in enumerate(values, start=1)
    ),
    form="lines",
    axes=("n", "score"),
)

SEQUENCE = ("sequence",)

AS_PRINTED = "Theorem 20 gives Ls(S_n) = 3 for n = 1 mod 4, n ≠ 5 (as printed)."
SECTION_4_3 = Item(
    kind="section",
    number="4.3",
    title="The score sequence of segments, and Conjectures 25 to 27",
    section="4.3",
    cells=(
        ItemCell("S_77", "Rs", Fact("segments", (*SEQUENCE, "right_77")), Number(-5)),
        ItemCell("last (4, −4)", "n", Fact("segments", (*SEQUENCE, "last_four")), Number(30)),
        ItemCell("even n > 30", f"{VALUES}Ls", Fact("segments", (*SEQUENCE, "even_after_30"))),
        ItemCell("(4, −4), (1, −5)", "n", Fact("segments", (*SEQUENCE, "rare"))),
        ItemCell("Conjecture 25", "period", Fact("segments", (*SEQUENCE, "period"))),
        ItemCell("Conjecture 25", "fits to the end", Fact("segments", (*SEQUENCE, "is_periodic"))),
        ItemCell("all segments", "vertices up to", Fact("segments", ("last",))),
    ),
    claims=(
        Claim(
            "No period is visible up to n = 80.",
            (Holds(Fact("segments", (*SEQUENCE, "none_to_80"))),),
            "4.3",
        ),
        Claim(
            "Between 38 and 76 both sequences have period 4.",
            (Holds(Fact("segments", (*SEQUENCE, "period_4_to_76"))),),
            "4.3",
        ),
        Claim(
            "Ls(S_n) = 1 for n = 1 mod 4, n > 1.",
            (Holds(Fact("segments", (*SEQUENCE, "conjecture_26", "holds"))),),
            "4.3, Conjecture 26",
        ),
        Claim(
            "Ls(S_n) = 2 for n = 0 mod 4, n > 4.",
            (Holds(Fact("segments", (*SEQUENCE, "conjecture_27", "holds"))),),
            "4.3, Conjecture 27",
        ),
        Claim(AS_PRINTED, (Holds(Fact("segments", (*SEQUENCE, "as_printed", "holds"))),), "4.3"),
    ),
    why=(
        Why(
            "The residue is a misprint: Theorem 20 gives Ls(S_n) = 3 where |L| is odd, which "
            "for S_n of C₋ means n = 3 mod 4, as in table 1. It holds for all these n. For n "
            "= 1 mod 4, Conjecture 26 itself gives Ls(S_n) = 1, and so does our computation.",
            (
                Holds(Fact("segments", (*SEQUENCE, "as_proved", "holds"))),
                Holds(Fact("segments", (*SEQUENCE, "conjecture_26", "holds"))),
            ),
            explains=(AS_PRINTED,),
        ),
    ),
    notes=(
        "Conjecture 26 is printed for all n = 1 mod 4; a single vertex of C₋ has Ls = −1 "
        "(table 1) and is not a segment.",
        "Conjecture 25 says that the sequences are ultimately periodic. A finite part of a "
        "sequence cannot prove a period, only refute one. The period observed so far is our "
        "finding.",
    ),
    form="curves",
    curves=("segments",),
)

SECTION_5_1 = Item(
    kind="section",
    number="5.1",
    title="Theorem 28: few but well-placed vertices on the trees J_n^c",
    section="5.1",
    cells=tuple(
        ItemCell(f"c = {c}", column, Fact("trees", (key, str(c), n)))
        for c in LEAVES
        for column, key, n in (
            *((f"Left gets, n = {n}", "left_gets", n) for n in DEPTHS),
            ("Left has, n = 3", "left_has", 3),
        )
    ),
    claims=(
        Claim(
            "T_n^c has (3^(n+1) − 1)/2 + c 3^n vertices.", (Holds(Fact("trees", ("size",))),), "5.1"
        ),
        Claim(
            "Whichever leaf of T_n^c Right takes, J_0^c + … + J_(n−1)^c remains.",
            (Holds(Fact("trees", ("lemma_29",))),),
            "5.1, Lemma 29",
        ),
        Claim(
            "Right, moving first on J_n^c, gets at most n + 1 + c more than on all smaller "
            "ones together.",
            (Holds(Fact("trees", ("lemma_30",))),),
            "5.1, Lemma 30",
        ),
        Claim(
            "Right, moving first on J_n^c, gets at most 2^n (n + c) + 1.",
            (Holds(Fact("trees", ("corollary_31",))),),
            "5.1, Corollary 31",
        ),
        Claim(
            "Right's share goes to 0 as n grows: it falls from each n to the next.",
            (Holds(Fact("trees", ("falls",))),),
            "5.1, Theorem 28",
        ),
    ),
    notes=(
        "Percentages of the vertices of J_n^c: those that Left gets when moving second, and "
        "those labelled L. The values are ours; the paper states bounds.",
        "On all trees that we solved, Lemma 30 holds with equality, so that Right gets "
        "exactly 2^n (c + 2) − 1.",
    ),
    form="curves",
    curves=("trees",),
)

SECTION_5_2 = Item(
    kind="section",
    number="5.2",
    title="Theorem 33: what Left can get on quasi-paths",
    section="5.2",
    cells=(
        ItemCell("quasi-paths, every one", "tested", Fact("quasi-paths", ("n_paths",))),
        ItemCell("quasi-paths, every one", "vertices up to", Fact("quasi-paths", ("longest",))),
        ItemCell("collections, random", "tested", Fact("quasi-paths", ("n_collections",))),
        ItemCell("all", "most of the bound reached, %", Fact("quasi-paths", ("nearest",))),
        ItemCell("fewer L than R", "most that Left gets, %", Fact("quasi-paths", ("most_of_few",))),
    ),
    claims=(
        Claim(
            "Moving second, Left gets at most (2 + u)/3 of the vertices, where u is the share "
            "of those labelled L.",
            (Holds(Fact("quasi-paths", ("holds",))),),
            "5.2, Theorem 33",
        ),
        Claim(
            "Where fewer than half of the vertices are labelled L, Left gets at most 5/6.",
            (Holds(Fact("quasi-paths", ("few_get_5_of_6",))),),
            "5.2",
        ),
    ),
    notes=(
        (
            "Nothing that we tested comes close to the bound; the paper does not claim that it is "
            "tight."
        ),
    ),
)

PAPER = Paper(
    name="influence",
    title="INFLUENCE: a partizan scoring game on graphs",
    authors="E. Duchêne, S. Gonzalez, A. Parreau, E. Rémila, P. Solal",
    source="Theoretical Computer Science 878–879 (2021), pages 26 to 46",
    game="influence",
    items=(
        FIGURE_1,
        SECTION_4_1,
        SECTION_4_2,
        CYCLES,
        TABLE_1,
        SECTION_4_3,
        SECTION_5_1,
        SECTION_5_2,
    ),
    computed=COMPUTED,
    about="All values come from exact search: each either equals the published one or does not.",
)
