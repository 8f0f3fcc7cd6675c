"""Builds the wheel with maturin, with the `brine` command in it.

maturin packs a library or a command, not both; but it packs what lies in a folder of data. So the
command is built first and put there. `BRINE_PROFILE=quick` builds faster and makes slower programs.
"""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import maturin

HERE = Path(__file__).resolve().parent.parent
PROFILE = os.environ.get("BRINE_PROFILE", "release")

get_requires_for_build_wheel = maturin.get_requires_for_build_wheel
get_requires_for_build_editable = maturin.get_requires_for_build_wheel


# Not `--locked`: the crates beside this one may have come by a dependency since the lock file was
# written. The versions in it are used all the same.
def _build_command():
    subprocess.run(
        ["cargo", "build", "--profile", PROFILE, "--bin", "brine"], cwd=HERE, check=True
    )
    target = Path(os.environ.get("CARGO_TARGET_DIR", HERE / "target"))
    name = "brine" + (sysconfig.get_config_var("EXE") or "")
    scripts = HERE / "command.data" / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    shutil.copy2(target / PROFILE / name, scripts / name)


def _settings(config_settings):
    settings = dict(config_settings or {})
    settings.setdefault("build-args", f"--profile {PROFILE}")
    return settings


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    # maturin looks for the folder of data here already.
    (HERE / "command.data" / "scripts").mkdir(parents=True, exist_ok=True)
    return maturin.prepare_metadata_for_build_wheel(metadata_directory, _settings(config_settings))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _build_command()
    return maturin.build_wheel(wheel_directory, _settings(config_settings), metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _build_command()
    return maturin.build_editable(wheel_directory, _settings(config_settings), metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError(
        "the package is built from the repository (pip install ./python): "
        "it needs the crates beside it"
    )
