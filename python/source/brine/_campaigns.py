"""Campaigns: `brine bench` as a function, and its results as data frames."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, List, Optional, Sequence, Union

from ._errors import InputError, InternalError, StoppedError

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]


def command() -> str:
    """The `brine` command that came with this package, or else the one on the path."""
    name = "brine" + (sysconfig.get_config_var("EXE") or "")
    for folder in (sysconfig.get_path("scripts"), str(Path(sys.executable).parent)):
        path = Path(folder) / name
        if path.is_file():
            return str(path)
    found = shutil.which("brine")
    if found is None:
        raise InternalError("the command brine is neither beside Python nor on the path")
    return found


def _call(args: Sequence[str], quiet: bool) -> "tuple[int, str]":
    """Runs the command with the terminal's standard error, unless it is to be quiet."""
    process = subprocess.Popen(
        [command(), *args],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE if quiet else None,
        text=True,
    )
    try:
        _, told = process.communicate()
    except KeyboardInterrupt:
        # The command got the same Ctrl-C and ends in good order; from a notebook it did not.
        process.send_signal(2)
        process.wait()
        raise
    return process.returncode, told or ""


def bench(
    plan: PathLike,
    output: Optional[PathLike] = None,
    *,
    jobs: int = 1,
    models: Sequence[PathLike] = (),
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    options: Sequence[str] = (),
    quiet: bool = True,
) -> "pandas.DataFrame":
    """Runs a campaign (docs/campaigns.md) and gives back its results.

    `plan` is a TOML file, or its text. With an `output` file, a campaign that was interrupted goes
    on where it stopped, and what was done is not done again.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.toml"
        if isinstance(plan, str) and "\n" in plan:
            # Paths in a text are relative to where we are, which is not where it is written.
            path = Path(tempfile.mkstemp(suffix=".toml", prefix=".plan-", dir=os.getcwd())[1])
            path.write_text(plan)
        try:
            results = Path(output) if output is not None else Path(folder) / "results.csv"
            given = str(path) if isinstance(plan, str) and "\n" in plan else os.fspath(plan)
            args: List[str] = ["bench", given, "-o", str(results), "--jobs", str(jobs)]
            for model in models:
                args += ["--models", os.fspath(model)]
            if timeout is not None:
                args += ["--timeout", str(timeout)]
            if memory is not None:
                args += ["--memory", str(memory)]
            code, told = _call(args + list(options), quiet)
            if code == 130:
                raise KeyboardInterrupt
            # 1: some verdict is wrong, which the column `correct` says.
            if code not in (0, 1):
                message = told.strip().removeprefix("error: ")
                kind = StoppedError if code == 3 else InputError
                raise kind(message or f"brine bench ended with exit code {code}")
            return read_results(results)
        finally:
            if path.name.startswith(".plan-"):
                path.unlink()


def read_results(path: PathLike) -> "pandas.DataFrame":
    """The rows of a results file of `brine bench` as a data frame of pandas."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("read_results needs pandas: pip install pandas") from error
    frame = pandas.read_csv(path)
    for column in ("verdict", "expected", "reason", "stage", "config"):
        if column in frame:
            frame[column] = frame[column].astype("object")
    return frame
