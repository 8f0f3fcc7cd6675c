"""The native half; use the names of `brine`."""

from typing import Any, Callable, List, Mapping, Optional, Tuple, final

__all__ = [
    "Model",
    "Builder",
    "Reachable",
    "MarkingIterator",
    "Answer",
    "Run",
    "States",
    "Automaton",
    "load",
    "read",
    "contest_properties",
    "automaton",
    "read_automaton",
    "version",
]

version: str
_Watcher = Optional[Callable[[float, int, int, int], object]]

@final
class Model:
    name: str
    kind: str
    warnings: List[str]
    def places(self) -> List[Tuple[str, str]]: ...
    def transitions(self) -> List[Tuple[str, str]]: ...
    def initial_marking(self) -> List[Tuple[str, int]]: ...
    def arcs(self) -> List[Tuple[str, str, int, bool]]: ...
    def pnml(self) -> str: ...
    def dot(self) -> str: ...
    def svg(self) -> str: ...
    def html(self) -> str: ...
    def check(
        self, kind: str, text: Tuple[str, str], wishes: Mapping[str, Any], watcher: _Watcher = None
    ) -> Answer: ...
    def states(self, wishes: Mapping[str, Any], watcher: _Watcher = None) -> States: ...
    def analyse(self, wishes: Mapping[str, Any], watcher: _Watcher = None) -> str: ...
    def reachable(self, wishes: Mapping[str, Any], watcher: _Watcher = None) -> Reachable: ...

@final
class Builder:
    def __new__(cls, name: str) -> Builder: ...
    def place(self, id: str, name: str, tokens: int) -> int: ...
    def transition(
        self, id: str, name: str, takes: List[Tuple[int, int]], puts: List[Tuple[int, int]]
    ) -> None: ...
    def build(self) -> Model: ...

@final
class Reachable:
    def count(self) -> str: ...
    def nodes(self) -> int: ...
    def contains(self, marking: List[int]) -> bool: ...
    def sample(self, seed: int) -> List[int]: ...
    def iterate(self) -> MarkingIterator: ...

@final
class MarkingIterator:
    def __iter__(self) -> MarkingIterator: ...
    def __next__(self) -> List[int]: ...

@final
class Answer:
    question: str
    verdict: str
    reason: Optional[str]
    engine: str
    time: float
    notes: List[str]
    figures: List[Tuple[str, str]]
    automaton: Optional[Tuple[int, int, str, Optional[bool]]]
    run: Optional[Run]
    def html(self) -> str: ...

@final
class Run:
    places: List[str]
    steps: List[Tuple[str, str, List[Tuple[int, int, int]]]]
    markings: List[List[int]]
    truth: List[Tuple[str, List[Optional[bool]]]]
    needed: List[bool]
    cycle_start: Optional[int]
    ends_dead: bool
    violated_after: Optional[int]
    is_shortest: bool
    is_example: bool
    prefix: List[str]
    cycle: List[str]
    def value(self, place: int, value: int) -> str: ...
    def text(self, width: int) -> str: ...
    def svg(self) -> str: ...
    def dot(self) -> str: ...

@final
class States:
    states: Optional[str]
    transitions: Optional[str]
    max_token_in_place: Optional[str]
    max_token_per_marking: Optional[str]
    reason: Optional[str]
    engine: str
    order: Optional[str]
    peak_nodes: Optional[int]
    time: float

@final
class Automaton:
    states: int
    initial: int
    edges: List[Tuple[int, int, str, List[int]]]
    acceptance_sets: int
    atoms: List[str]
    class_: str
    stutter_invariant: Optional[bool]
    safety: Optional[bool]
    guarantee: Optional[bool]
    obligation: Optional[bool]
    hoa: str
    dot: str
    svg: str

def load(path: str) -> Model: ...
def read(text: str, language: str) -> Model: ...
def contest_properties(text: str) -> List[str]: ...
def automaton(formula: str, kind: str) -> Automaton: ...
def read_automaton(hoa: str, kind: str) -> Automaton: ...
