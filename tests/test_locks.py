"""The lock files: what `make demo` installs, and what `make test` adds to it."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUNTIME, DEV = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("requirements.lock", "requirements-dev.lock")
)


def pins(lock):
    """Return the pinned versions of a lock file, some of them only for some versions of Python."""
    return set(re.findall(r"^([\w.-]+)==(\S+)", lock, re.MULTILINE))


def names(dependencies):
    """Return the names of dependencies, without versions and conditions."""
    return {re.match(r"[\w.-]+", one)[0].replace("_", "-").lower() for one in dependencies}


def test_both_locks_pin_the_same_versions():
    assert pins(RUNTIME) < pins(DEV)


def test_every_dependency_is_pinned():
    build = names(PROJECT["dependency-groups"]["build"])
    needed = names(PROJECT["project"]["dependencies"]) | build
    assert needed <= {name for name, _ in pins(RUNTIME)}
    extras = PROJECT["project"]["optional-dependencies"]
    assert names(extras["dev"]) | names(extras["docs"]) <= {name for name, _ in pins(DEV)}


def test_the_demo_needs_no_development_tools():
    tools = names(PROJECT["project"]["optional-dependencies"]["dev"])
    assert not tools & {name for name, _ in pins(RUNTIME)}


def test_locks_name_no_place_to_download_from():
    for lock in (RUNTIME, DEV):
        assert "http" not in lock
        assert "index-url" not in lock
        hashed = re.findall(r"^[\w.-]+==.*\\\n    --hash=sha256:", lock, re.MULTILINE)
        assert len(hashed) == len(re.findall(r"^[\w.-]+==", lock, re.MULTILINE))
