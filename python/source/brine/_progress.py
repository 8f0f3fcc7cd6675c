"""A bar for long calls: that of tqdm if it is installed, else a line on standard error."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Union

Progress = Union[bool, Callable[[float, int, int, int], object], None]


class _Line:
    """A line that is written again and again, on a terminal."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.shown = False

    def __call__(self, seconds: float, nodes: int, level: int, trial: int) -> None:
        more = f", order {trial}, level {level}, {nodes} nodes" if nodes else ""
        sys.stderr.write(f"\r\x1b[K{self.what}: {seconds:.1f} s{more}")
        sys.stderr.flush()
        self.shown = True

    def close(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class _Bar:
    """tqdm's bar: seconds of the timeout, or just seconds."""

    def __init__(self, tqdm: Any, what: str, timeout: Optional[float]) -> None:
        self.bar = tqdm(total=timeout, desc=what, unit="s", leave=False)

    def __call__(self, seconds: float, nodes: int, level: int, trial: int) -> None:
        limit = self.bar.total
        self.bar.n = round(seconds if limit is None else min(seconds, limit), 1)
        if nodes:
            self.bar.set_postfix(order=trial, level=level, nodes=nodes, refresh=False)
        self.bar.refresh()

    def close(self) -> None:
        self.bar.close()


def watcher(progress: Progress, what: str, timeout: Optional[float]) -> Any:
    """What native calls tell how far they are; close it at the end."""
    if progress is None or progress is False:
        return None
    if progress is not True:
        return progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(what)
    return _Bar(tqdm, what, timeout)


def close(watching: Any) -> None:
    """Takes the bar away."""
    if isinstance(watching, (_Line, _Bar)):
        watching.close()
