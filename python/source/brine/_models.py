"""Models, questions about them, and what comes of these."""

from __future__ import annotations

import html
import json
import os
import random
from dataclasses import dataclass
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from . import _brine, _progress
from ._errors import InputError, OptionsError

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]
#: A place, or a place with a weight.
Arc = Union[str, Tuple[str, int]]


def _wishes(
    engine: Optional[str],
    timeout: Optional[float],
    memory: Optional[int],
    threads: Optional[int],
    shortest: bool,
    options: Sequence[str],
) -> Dict[str, Any]:
    if isinstance(options, str):
        raise OptionsError(f'options="{options}": expected a list of words')
    words = ([] if engine is None else ["--engine", engine]) + list(options)
    return {
        "words": words,
        "timeout": timeout,
        "memory": memory,
        "threads": threads,
        "shortest": shortest,
    }


def _number(text: Optional[str]) -> Union[int, float, None]:
    if text is None:
        return None
    return float("inf") if text == "+inf" else int(text)


class Net:
    """A model: a net, a coloured net, a DVE model or guarded commands.

    Made by `load`, `read_pnml`, `read_dve`, `read_commands`, `Builder`, `from_pm4py` and
    `from_networkx`.
    """

    def __init__(self, model: _brine.Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The net's id, or else the file's name."""
        return self._model.name

    @property
    def kind(self) -> str:
        """`net`, `coloured net`, `DVE model` or `guarded commands`."""
        return self._model.kind

    @property
    def warnings(self) -> List[str]:
        """What the reader of the file noticed."""
        return self._model.warnings

    @property
    def places(self) -> List[str]:
        """The ids of the places; of a coloured net the coloured ones, else the variables."""
        return [id for id, _ in self._model.places()]

    @property
    def transitions(self) -> List[str]:
        """The ids of the transitions, or the names of the commands."""
        return [id for id, _ in self._model.transitions()]

    @property
    def names(self) -> Dict[str, str]:
        """What people call the places and transitions, by id."""
        return dict(self._model.places() + self._model.transitions())

    @property
    def initial_marking(self) -> Dict[str, int]:
        """Tokens by place of the net, unfolded if it is coloured."""
        return dict(self._model.initial_marking())

    @property
    def arcs(self) -> List[Tuple[str, str, int]]:
        """Source, target, weight; of the net, unfolded if it is coloured."""
        return [
            (place, transition, weight) if takes else (transition, place, weight)
            for transition, place, weight, takes in self._model.arcs()
        ]

    def pnml(self) -> str:
        """The net as PNML; a coloured one is unfolded."""
        return self._model.pnml()

    def dot(self) -> str:
        """The net as a graph in DOT; a coloured one is unfolded."""
        return self._model.dot()

    def svg(self) -> str:
        """The net as a picture; a coloured one is unfolded."""
        return self._model.svg()

    def html(self) -> str:
        """The net as a page for a browser, to play with its tokens."""
        return self._model.html()

    def _repr_svg_(self) -> Optional[str]:
        return self.svg() if self.kind.endswith("net") else None

    def save(self, path: PathLike) -> None:
        """Writes the net to a PNML file."""
        Path(path).write_text(self.pnml(), encoding="utf-8")

    def to_networkx(self) -> Any:
        """The net as a `networkx.DiGraph`, as `from_networkx` reads it."""
        import networkx

        graph = networkx.DiGraph(name=self.name)
        for place, tokens in self.initial_marking.items():
            graph.add_node(place, kind="place", tokens=tokens)
        for transition in {t for t, _, _, _ in self._model.arcs()} | set(self.transitions):
            graph.add_node(transition, kind="transition")
        for source, target, weight in self.arcs:
            graph.add_edge(source, target, weight=weight)
        return graph

    def check(
        self,
        formula: Optional[str] = None,
        *,
        reach: Optional[str] = None,
        ctl: Optional[str] = None,
        hoa: Optional[str] = None,
        contest: Optional[Tuple[str, str]] = None,
        property: bool = False,
        engine: Optional[str] = None,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
        threads: Optional[int] = None,
        shortest: bool = False,
        options: Sequence[str] = (),
        progress: _progress.Progress = None,
    ) -> Verdict:
        """Answers one question.

        `formula` is LTL that all runs are to satisfy. The others: `reach` (`EF f`, `AG f`), `ctl`,
        `hoa` (an automaton that accepts the violations), `contest` (the text of a property file and
        an id), `property` (the property process of a DVE model).

        `timeout` is in seconds, `memory` in mebibytes, `options` are words for engines as on the
        command line. What is not decided within them is "unknown". Ctrl-C ends the search;
        `progress=True` shows a bar.
        """
        asked = [
            ("ltl", formula),
            ("reach", reach),
            ("ctl", ctl),
            ("hoa", hoa),
            ("contest", contest),
            ("property", "" if property else None),
        ]
        given = [(kind, text) for kind, text in asked if text is not None]
        if len(given) != 1:
            raise OptionsError(f"expected one question, got {len(given)}")
        kind, text = given[0]
        pair = text if isinstance(text, tuple) else (text, "")
        wishes = _wishes(engine, timeout, memory, threads, shortest, options)
        watching = _progress.watcher(progress, f"check {pair[1] or pair[0]}"[:40], timeout)
        try:
            return Verdict(self._model.check(kind, pair, wishes, watching))
        finally:
            _progress.close(watching)

    def check_file(
        self, path: PathLike, only: Optional[Iterable[str]] = None, **kwargs: Any
    ) -> Dict[str, Verdict]:
        """Answers the properties of a contest file, or `only` those with these ids; by id."""
        text = Path(path).read_text(encoding="utf-8")
        ids = list(_brine.contest_properties(text)) if only is None else list(only)
        return {id: self.check(contest=(text, id), **kwargs) for id in ids}

    def states(
        self,
        *,
        engine: Optional[str] = None,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
        threads: Optional[int] = None,
        options: Sequence[str] = (),
        progress: _progress.Progress = None,
    ) -> States:
        """Counts states and transitions. Numbers that a budget cut off are `None`."""
        wishes = _wishes(engine, timeout, memory, threads, False, options)
        watching = _progress.watcher(progress, f"states of {self.name}"[:40], timeout)
        try:
            told = self._model.states(wishes, watching)
        finally:
            _progress.close(watching)
        return States(
            states=_number(told.states),
            transitions=_number(told.transitions),
            max_token_in_place=_number(told.max_token_in_place),
            max_token_per_marking=_number(told.max_token_per_marking),
            reason=told.reason,
            engine=told.engine,
            order=told.order,
            peak_nodes=told.peak_nodes,
            time=told.time,
        )

    def reachable(
        self,
        *,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
        threads: Optional[int] = None,
        progress: _progress.Progress = None,
    ) -> Markings:
        """All reachable markings, as a set: count it, look into it, iterate, draw from it."""
        wishes = _wishes(None, timeout, memory, threads, False, ())
        watching = _progress.watcher(progress, f"markings of {self.name}"[:40], timeout)
        try:
            found = self._model.reachable(wishes, watching)
        finally:
            _progress.close(watching)
        return Markings(found, list(self.initial_marking))

    def analyse(
        self,
        *,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
        progress: _progress.Progress = None,
    ) -> Analysis:
        """The usual questions at once: deadlock, bounds, liveness, home markings, soundness.

        What is None was not found out; `reason` says which budget ran out.
        """
        wishes = _wishes(None, timeout, memory, None, False, ())
        watching = _progress.watcher(progress, f"analysis of {self.name}"[:40], timeout)
        try:
            return Analysis(json.loads(self._model.analyse(wishes, watching)))
        finally:
            _progress.close(watching)

    def __repr__(self) -> str:
        places, transitions = len(self._model.places()), len(self._model.transitions())
        if self.kind.endswith("net"):
            return f"<{self.kind} {self.name}: {places} places, {transitions} transitions>"
        return f"<{self.kind} {self.name}: {places} variables, {transitions} commands>"


class Verdict:
    """The answer to a question."""

    def __init__(self, answer: _brine.Answer) -> None:
        self._answer = answer
        run = answer.run
        #: The run that shows it, if one does.
        self.run: Optional[Run] = None if run is None else Run(run)

    @property
    def question(self) -> str:
        """What was asked."""
        return self._answer.question

    @property
    def verdict(self) -> str:
        """`holds`, `violated` or `unknown`."""
        return self._answer.verdict

    @property
    def holds(self) -> Optional[bool]:
        """True or False; None if it is unknown."""
        return {"holds": True, "violated": False}.get(self.verdict)

    @property
    def reason(self) -> Optional[str]:
        """Why it is unknown: `timeout`, `memory`, `cancelled`, `unsupported`."""
        return self._answer.reason

    @property
    def engine(self) -> str:
        """The engine that answered."""
        return self._answer.engine

    @property
    def time(self) -> float:
        """Seconds."""
        return self._answer.time

    @property
    def notes(self) -> List[str]:
        """What is worth knowing beside the verdict."""
        return self._answer.notes

    @property
    def figures(self) -> Dict[str, Union[int, str]]:
        """Figures of the search; names are columns of `brine bench` where there is one."""
        return {n: int(v) if v.isdigit() else v for n, v in self._answer.figures}

    @property
    def automaton(self) -> Optional[Dict[str, Any]]:
        """The automaton of the violations: states, edges, class, stutter_invariant."""
        told = self._answer.automaton
        keys = ("states", "edges", "class", "stutter_invariant")
        return None if told is None else dict(zip(keys, told))

    def __bool__(self) -> bool:
        """Whether it holds; an unknown verdict is neither."""
        if self.holds is None:
            raise ValueError(f"{self.question}: unknown ({self.reason}), neither true nor false")
        return self.holds

    def __repr__(self) -> str:
        reason = f" ({self.reason})" if self.reason else ""
        return f"<{self.question}: {self.verdict}{reason}, {self.engine}, {self.time:.3f} s>"

    def _repr_html_(self) -> str:
        colour = {"holds": "#2e8b57", "violated": "#c0392b"}.get(self.verdict, "#777777")
        head = (
            f"<p><code>{html.escape(self.question)}</code>: "
            f"<b style='color:{colour}'>{self.verdict}</b>"
            f" ({self.reason or self.engine}, {self.time:.3f} s)</p>"
        )
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        if self.run is None:
            return head + notes
        # A page of its own, which plays the run: its styles and scripts stay inside.
        page = html.escape(self.html(), quote=True)
        frame = f"<iframe srcdoc=\"{page}\" style='width:100%;height:600px;border:0'></iframe>"
        return head + notes + frame

    def html(self) -> str:
        """The page that `brine check --html` writes: the net with the run played on it."""
        return self._answer.html()


@dataclass(frozen=True)
class Step:
    """A step of a run."""

    #: The id of the transition.
    transition: str
    #: What people call it.
    name: str
    #: Tokens before and after, by place.
    changes: Mapping[str, Tuple[int, int]]


class Run:
    """A run that was replayed: position 0 is the first marking, position *i* that after step *i*.

    After its last step it goes back to `cycle_start`, or it `ends_dead`, or the formula is violated
    whatever follows (`violated_after` steps).
    """

    def __init__(self, run: _brine.Run) -> None:
        self._run = run

    @property
    def places(self) -> List[str]:
        """Places or variables, in the order of markings."""
        return self._run.places

    @property
    def steps(self) -> List[Step]:
        """The steps."""
        places = self.places
        return [
            Step(id, name, {places[p]: (before, after) for p, before, after in changes})
            for id, name, changes in self._run.steps
        ]

    @property
    def markings(self) -> List[Dict[str, int]]:
        """The markings by position."""
        places = self.places
        return [dict(zip(places, marking)) for marking in self._run.markings]

    @property
    def truth(self) -> Dict[str, List[Optional[bool]]]:
        """The formula and its parts: their truth by position; None is open."""
        return dict(self._run.truth)

    @property
    def prefix(self) -> List[str]:
        """Transitions before the cycle."""
        return self._run.prefix

    @property
    def cycle(self) -> List[str]:
        """Transitions that repeat for ever; none if the run ends in a dead marking."""
        return self._run.cycle

    @property
    def cycle_start(self) -> Optional[int]:
        """The position to which the run goes back."""
        return self._run.cycle_start

    @property
    def ends_dead(self) -> bool:
        """Whether nothing is enabled at its end."""
        return self._run.ends_dead

    @property
    def violated_after(self) -> Optional[int]:
        """After so many steps the formula is violated whatever follows."""
        return self._run.violated_after

    @property
    def is_shortest(self) -> bool:
        """Whether it was proved that no run is shorter."""
        return self._run.is_shortest

    @property
    def is_example(self) -> bool:
        """Whether it shows what some run is to do, instead of a violation."""
        return self._run.is_example

    def table(self, full: bool = False) -> List[Dict[str, Any]]:
        """One row per position: the step that led there, tokens, truth.

        Places that neither the formula nor the run needs are left out, unless it is to be `full`.
        """
        needed = [i for i, needed in enumerate(self._run.needed) if full or needed]
        places, truth = self.places, self._run.truth
        rows: List[Dict[str, Any]] = []
        for position, marking in enumerate(self._run.markings):
            step = None if position == 0 else self._run.steps[position - 1][0]
            row: Dict[str, Any] = {"step": step}
            row.update({places[p]: marking[p] for p in needed})
            for formula, values in truth:
                # After the last step of a cycle comes its first position again.
                at = position if position < len(values) else self.cycle_start
                row[formula] = None if at is None or at >= len(values) else values[at]
            rows.append(row)
        return rows

    def to_pandas(self, full: bool = False) -> "pandas.DataFrame":
        """The `table` as a data frame; its index is the position."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas") from error
        frame = pandas.DataFrame(self.table(full))
        frame.index.name = "position"
        return frame

    def text(self, width: int = 100) -> str:
        """The run in words, as the command prints it."""
        return self._run.text(width)

    def svg(self) -> str:
        """The run as a picture."""
        return self._run.svg()

    def dot(self) -> str:
        """The run as a graph in DOT."""
        return self._run.dot()

    def __len__(self) -> int:
        return len(self._run.steps)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        end = f"back to position {self.cycle_start}"
        if self.cycle_start is None:
            end = "then nothing is enabled" if self.ends_dead else "then it is decided"
        return f"<run of {len(self)} steps, {end}>"

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True)
class States:
    """The numbers of a state space; `inf` if it is infinite, None if not computed."""

    states: Union[int, float, None]
    transitions: Union[int, float, None]
    max_token_in_place: Union[int, float, None]
    max_token_per_marking: Union[int, float, None]
    #: Which budget ran out, if one did.
    reason: Optional[str]
    engine: str
    order: Optional[str]
    peak_nodes: Optional[int]
    #: Seconds.
    time: float


class Analysis(Dict[str, Any]):
    """What is known about a net as a whole: what `brine analyse --json` prints, by key or attribute."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no {name!r}; known are {', '.join(self)}") from None

    def to_pandas(self) -> "pandas.DataFrame":
        """The tokens of the places: a row for each, with the least, the most, and what proves it."""
        import pandas

        return pandas.DataFrame(self["bounds"]).set_index("place")

    def _repr_html_(self) -> str:
        told = [(k, v) for k, v in self.items() if not isinstance(v, (dict, list)) and v is not None]
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(k)}</th><td>{html.escape(str(v))}</td></tr>"
            for k, v in told
        )
        return f"<table>{rows}</table>"


class Markings:
    """The reachable markings: `len`, `in`, iteration, `sample`; each is a dict by place."""

    def __init__(self, found: _brine.Reachable, places: List[str]) -> None:
        self._found = found
        #: The places of a marking.
        self.places = places

    def count(self) -> int:
        """How many; also where `len` cannot say it."""
        return int(self._found.count())

    @property
    def nodes(self) -> int:
        """The nodes of the decision diagram that holds them."""
        return self._found.nodes()

    def sample(
        self, count: Optional[int] = None, seed: Optional[int] = None
    ) -> Union[Dict[str, int], List[Dict[str, int]]]:
        """A marking drawn at random, each equally likely; or a list of `count` of them."""
        numbers = random.Random(seed)
        if count is None:
            return self._named(self._found.sample(numbers.getrandbits(64)))
        return [self._named(self._found.sample(numbers.getrandbits(64))) for _ in range(count)]

    def to_pandas(self, limit: Optional[int] = 100_000) -> "pandas.DataFrame":
        """All markings as rows; more than `limit` are refused."""
        import pandas

        if limit is not None and self.count() > limit:
            raise OptionsError(f"{self.count()} markings are more than limit={limit}")
        return pandas.DataFrame(list(self._found.iterate()), columns=self.places)

    def _named(self, marking: List[int]) -> Dict[str, int]:
        return dict(zip(self.places, marking))

    def __len__(self) -> int:
        return self.count()

    def __iter__(self) -> Iterator[Dict[str, int]]:
        return (self._named(marking) for marking in self._found.iterate())

    def __contains__(self, marking: object) -> bool:
        if not isinstance(marking, Mapping):
            return False
        unknown = set(marking) - set(self.places)
        if unknown:
            raise InputError(f"no place {sorted(unknown)[0]!r} (places without tokens may be left out)")
        return self._found.contains([marking.get(place, 0) for place in self.places])

    def __repr__(self) -> str:
        return f"<{self.count()} markings in {self.nodes} nodes>"


class Builder:
    """Builds a net, place by place.

    Arcs are places, or pairs of a place and a weight.
    """

    def __init__(self, name: str = "net") -> None:
        self._builder = _brine.Builder(name)
        self._places: Dict[str, int] = {}

    def place(self, id: str, tokens: int = 0, name: Optional[str] = None) -> str:
        """Adds a place; gives back its id."""
        if id in self._places:
            raise InputError(f"id {id!r} is used twice")
        self._places[id] = self._builder.place(id, name or id, tokens)
        return id

    def transition(
        self,
        id: str,
        takes: Iterable[Arc] = (),
        puts: Iterable[Arc] = (),
        name: Optional[str] = None,
    ) -> None:
        """Adds a transition with the places it takes tokens from and puts them into."""
        self._builder.transition(id, name or id, self._arcs(id, takes), self._arcs(id, puts))

    def _arcs(self, id: str, arcs: Iterable[Arc]) -> List[Tuple[int, int]]:
        found = []
        for arc in [arcs] if isinstance(arcs, str) else arcs:
            place, weight = (arc, 1) if isinstance(arc, str) else arc
            if place not in self._places:
                raise InputError(f"an arc of {id!r} names no place: {place!r}")
            found.append((self._places[place], weight))
        return found

    def build(self) -> Net:
        """The net."""
        return Net(self._builder.build())


class Automaton:
    """A Büchi automaton."""

    def __init__(self, automaton: _brine.Automaton) -> None:
        self._automaton = automaton

    @property
    def states(self) -> int:
        """How many states, numbered from 0."""
        return self._automaton.states

    @property
    def initial(self) -> int:
        """Where it begins."""
        return self._automaton.initial

    @property
    def edges(self) -> List[Tuple[int, int, str, List[int]]]:
        """From, to, what is true, the acceptance sets that the edge is in."""
        return self._automaton.edges

    @property
    def atoms(self) -> List[str]:
        """What it reads."""
        return self._automaton.atoms

    @property
    def acceptance_sets(self) -> int:
        """How many; a run must meet each of them for ever."""
        return self._automaton.acceptance_sets

    @property
    def facts(self) -> Dict[str, Any]:
        """Its class, and what is known of its language (None: not known)."""
        a = self._automaton
        return {
            "class": a.class_,
            "stutter_invariant": a.stutter_invariant,
            "safety": a.safety,
            "guarantee": a.guarantee,
            "obligation": a.obligation,
        }

    @property
    def hoa(self) -> str:
        """The automaton in HOA format."""
        return self._automaton.hoa

    @property
    def dot(self) -> str:
        """The automaton as a graph in DOT."""
        return self._automaton.dot

    @property
    def svg(self) -> str:
        """The automaton as a picture."""
        return self._automaton.svg

    def to_networkx(self) -> Any:
        """The automaton as a `networkx.MultiDiGraph`."""
        import networkx

        graph = networkx.MultiDiGraph(initial=self.initial)
        graph.add_nodes_from(range(self.states))
        for source, target, label, sets in self.edges:
            graph.add_edge(source, target, label=label, sets=sets)
        return graph

    def __repr__(self) -> str:
        return f"<automaton: {self.states} states, {len(self.edges)} edges>"

    def _repr_svg_(self) -> str:
        return self.svg


def load(path: PathLike) -> Net:
    """Reads a model: `.pnml`, `.dve`, `.gcl`, compressed, in a folder or an archive."""
    return Net(_brine.load(os.fspath(path)))


def read_pnml(text: str) -> Net:
    """Reads the text of a PNML file."""
    return Net(_brine.read(text, "pnml"))


def read_dve(text: str) -> Net:
    """Reads the text of a DVE model."""
    return Net(_brine.read(text, "dve"))


def read_commands(text: str) -> Net:
    """Reads guarded commands."""
    return Net(_brine.read(text, "commands"))


def automaton(formula: str, type: str = "tgba") -> Automaton:
    """The automaton of a formula as it is given; `type` is `tgba` or `ba`."""
    return Automaton(_brine.automaton(formula, type))


def read_automaton(hoa: str, type: str = "tgba") -> Automaton:
    """Reads an automaton in HOA format."""
    return Automaton(_brine.read_automaton(hoa, type))


def from_pm4py(net: Any, initial_marking: Optional[Mapping[Any, int]] = None) -> Net:
    """Takes a net of pm4py, or the triple of net, initial and final marking that it reads.

    Only attributes are looked at (`places`, `transitions`, `arcs` with `source`, `target`,
    `weight`), so objects made alike will do. A transition is called by its name, and known to people
    by its label.
    """
    if isinstance(net, tuple):
        if initial_marking is None and len(net) > 1:
            initial_marking = net[1]
        net = net[0]
    marking = {} if initial_marking is None else initial_marking
    builder = Builder(str(getattr(net, "name", "") or "net"))
    for place in sorted(net.places, key=lambda p: str(p.name)):
        builder.place(str(place.name), int(marking.get(place, 0)))
    takes: Dict[Any, List[Arc]] = {t: [] for t in net.transitions}
    puts: Dict[Any, List[Arc]] = {t: [] for t in net.transitions}
    for arc in net.arcs:
        kind = (getattr(arc, "properties", None) or {}).get("arctype")
        if kind not in (None, "normal"):
            raise InputError(f"arc {arc}: {kind} arcs are not supported")
        weight = int(getattr(arc, "weight", 1))
        if arc.target in takes:
            takes[arc.target].append((str(arc.source.name), weight))
        else:
            puts[arc.source].append((str(arc.target.name), weight))
    for t in sorted(net.transitions, key=lambda t: str(t.name)):
        label = getattr(t, "label", None)
        arcs = (sorted(takes[t]), sorted(puts[t]))
        builder.transition(str(t.name), arcs[0], arcs[1], None if label is None else str(label))
    return builder.build()


def from_networkx(graph: Any) -> Net:
    """Takes a directed graph of networkx.

    Each node says what it is: `kind="place"` (with `tokens`, 0 if missing) or `kind="transition"`.
    Edges may have a `weight`; parallel ones add up.
    """
    kinds = {node: data.get("kind") for node, data in graph.nodes(data=True)}
    for node, kind in kinds.items():
        if kind not in ("place", "transition"):
            raise InputError(f'node {node!r}: expected kind="place" or kind="transition"')
    builder = Builder(str(getattr(graph, "name", "") or "net"))
    takes: Dict[Any, List[Arc]] = {n: [] for n, kind in kinds.items() if kind == "transition"}
    puts: Dict[Any, List[Arc]] = {n: [] for n in takes}
    for node, data in graph.nodes(data=True):
        if kinds[node] == "place":
            builder.place(str(node), int(data.get("tokens", 0)))
    for source, target, data in graph.edges(data=True):
        if kinds[source] == kinds[target]:
            raise InputError(f"edge {source!r} -> {target!r}: both are a {kinds[source]}")
        weight = int(data.get("weight", 1))
        if kinds[target] == "transition":
            takes[target].append((str(source), weight))
        else:
            puts[source].append((str(target), weight))
    for node in takes:
        builder.transition(str(node), takes[node], puts[node])
    return builder.build()
