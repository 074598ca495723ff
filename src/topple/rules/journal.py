"""Journals: on large boards a state records what is written into it.

Searches copy positions before they try a move. On a board of a hundred thousand vertices a copy
takes longer than the move, which changes a few numbers. There every state has a journal at its
end, and the rules write through `record`, into which `topple.compiling.recorded` turns their
assignments. Copying a position from the state that it was copied from before then copies only
what either of them has recorded since: trying a move and taking it back costs what it changed.

The content of a state is the same as after a plain copy, so every search does the same.

The last numbers of a vector with a journal, counted from its end, are named below; the entries,
indices of the position, lie before them in a ring.
"""

import itertools

from topple.compiling.specialise import kernel, noinline
from topple.rules.interface import HEADER, State

MARK = 1  # JOURNALED less the length of the position; no vector without a journal ends so
MASK = 2  # the length of the ring, a power of two, less 1
COUNT = 3  # entries written so far
EPOCH = 4  # changes when the journal does not tell all that has changed
NAME = 5  # another one for each vector of this process
SOURCE = 6  # the vector that this one was copied from, or 0
SOURCE_EPOCH, SOURCE_COUNT = 7, 8  # the source's, when it was copied
OWN_EPOCH, OWN_COUNT = 9, 10  # this vector's, when it was copied
N_NUMBERS = 10
JOURNALED = -(1 << 30)  # no number of a position is negative
MOST_COUNT = 1 << 30  # then the count begins again, in a new epoch

LEAST_RING = 64
RING_SHARE = 8  # of the position that the ring can hold

LEAST = 1 << 12  # numbers of a position that is worth a journal

MOST_NAME = (1 << 31) - 1
_names = itertools.count()


def ring_length(n_state: int) -> int:
    """How many entries the journals of positions of a length hold, a power of two."""
    return 1 << max(LEAST_RING, n_state // RING_SHARE).bit_length()


def journal_length(n_state: int) -> int:
    """How many numbers the journal of a state takes."""
    return ring_length(n_state) + N_NUMBERS


def add_journal(state: State, n_state: int) -> None:
    """Begin the journal of a new vector, which has space for it at its end."""
    n = len(state)
    state[n - N_NUMBERS :] = 0
    state[n - MARK] = JOURNALED - n_state
    state[n - MASK] = ring_length(n_state) - 1
    state[n - NAME] = 1 + next(_names) % MOST_NAME


def put_position(state: State, position: State) -> None:
    """Write a position into a vector that kernels may have used before."""
    state[: len(position)] = position
    if has_journal(state):
        begin_epoch(state)


@kernel
def has_journal(state: State) -> bool:
    """Whether a vector ends with a journal."""
    n = len(state)
    return bool(n > N_NUMBERS + LEAST_RING and state[n - MARK] < JOURNALED)


@kernel
def begin_epoch(state: State) -> None:
    """Note that the journal does not tell what has changed."""
    n = len(state)
    state[n - EPOCH] = (state[n - EPOCH] + 1) & (MOST_COUNT - 1)
    state[n - COUNT] = 0


@kernel
def note(state: State, index: int) -> None:
    """Add an entry to the journal of a vector that has one."""
    n = len(state)
    count = state[n - COUNT]
    state[n - N_NUMBERS - 1 - (count & state[n - MASK])] = index
    state[n - COUNT] = count + 1
    if count + 1 == MOST_COUNT:
        begin_epoch(state)


@kernel
def record(state: State, index: int, value: int) -> None:
    """Write a number into a state, and note it if it belongs to the position."""
    state[index] = value
    n, where = len(state), int(index)
    if where < JOURNALED - state[n - MARK]:  # the length of the position, if there is a journal
        note(state, where)


@noinline
def copy_position(source: State, target: State, n: int) -> None:
    """Copy the first n numbers of `source` into `target`, whose other numbers stay.

    Takes the place of the plain copy. Copies only what has changed, where both journals tell it.
    """
    if not has_journal(target):
        for i in range(n):
            target[i] = source[i]
    elif not has_journal(source) or n != JOURNALED - target[len(target) - MARK]:
        copy_all(source, target, n)
    elif not tells_changes(source, target):
        copy_all(source, target, n)
        remember_source(source, target)
    else:
        copy_changes(source, target)
        remember_source(source, target)


@kernel
def is_copy(source: State, target: State) -> bool:
    """Whether `target` was copied from `source` in what are still the epochs of both."""
    s, t = len(source), len(target)
    is_same = target[t - SOURCE] == source[s - NAME]
    is_same = is_same and target[t - SOURCE_EPOCH] == source[s - EPOCH]
    return bool(is_same and target[t - OWN_EPOCH] == target[t - EPOCH])


@kernel
def tells_changes(source: State, target: State) -> bool:
    """Whether the journals tell where two vectors differ, with room to note the copy."""
    if not is_copy(source, target):
        return False
    s, t = len(source), len(target)
    from_source = source[s - COUNT] - target[t - SOURCE_COUNT]
    own = target[t - COUNT] - target[t - OWN_COUNT]
    # The copy adds an entry for each of these, and must not run over the own ones.
    return bool(from_source <= source[s - MASK] and from_source + 2 * own <= target[t - MASK])


@kernel
def n_changes(source: State, tried: State) -> int:
    """How many entries tell where `tried` was written since it was copied from `source`.

    −1 if its journal does not tell.
    """
    if not has_journal(source) or not has_journal(tried) or not is_copy(source, tried):
        return -1
    t = len(tried)
    n = tried[t - COUNT] - tried[t - OWN_COUNT]
    return int(n) if n <= tried[t - MASK] else -1


@kernel
def changed_index(tried: State, i: int) -> int:
    """Where the number of the i-th entry since the last copy is; numbers may be named twice."""
    t = len(tried)
    return int(tried[t - N_NUMBERS - 1 - ((tried[t - OWN_COUNT] + i) & tried[t - MASK])])


@kernel
def copy_changes(source: State, target: State) -> None:
    """Copy the numbers that either journal names since the last copy."""
    s, t = len(source), len(target)
    for i in range(HEADER):  # searches write these without a record
        target[i] = source[i]
    first, last = target[t - OWN_COUNT], target[t - COUNT]
    for count in range(first, last):
        index = target[t - N_NUMBERS - 1 - (count & target[t - MASK])]
        target[index] = source[index]
        note(target, index)
    for count in range(target[t - SOURCE_COUNT], source[s - COUNT]):
        index = source[s - N_NUMBERS - 1 - (count & source[s - MASK])]
        target[index] = source[index]
        note(target, index)


@kernel
def copy_all(source: State, target: State, n: int) -> None:
    """Copy the whole position."""
    for i in range(n):
        target[i] = source[i]
    target[len(target) - SOURCE] = 0
    begin_epoch(target)


@kernel
def remember_source(source: State, target: State) -> None:
    """Note from which vector, and from which of its contents, another one was copied."""
    s, t = len(source), len(target)
    target[t - SOURCE] = source[s - NAME]
    target[t - SOURCE_EPOCH] = source[s - EPOCH]
    target[t - SOURCE_COUNT] = source[s - COUNT]
    target[t - OWN_EPOCH] = target[t - EPOCH]
    target[t - OWN_COUNT] = target[t - COUNT]
