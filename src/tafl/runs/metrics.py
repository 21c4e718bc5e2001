"""Reading `metrics.jsonl`: a line for each evaluation."""

from pathlib import Path

from tafl.errors import InputError
from tafl.files import checksum, parse_json, read_regular
from tafl.runs.checkpoint import log
from tafl.settings.tables import Fields

LONGEST = 2**28  # bytes


def read_metrics(file: Path, evaluations: int) -> list[Fields]:
    """Return the intact lines; warn if some are damaged or fewer than expected."""
    try:
        text = read_regular(file, most=LONGEST).decode(errors="replace")
    except OSError as error:
        log.warning("tafl: %s cannot be read: %s", file, error.strerror)
        return []
    except InputError as error:
        log.warning("tafl: %s", error)
        return []
    *whole, _half = text.split("\n")  # a crash may leave half a line behind
    found = []
    for number, line in enumerate(whole, start=1):
        try:
            found.append(_evaluation(line))
        except (ValueError, TypeError, KeyError):
            log.warning("tafl: %s, line %d is damaged", file, number)
    if (lost := evaluations - len(whole)) > 0:
        log.warning("tafl: %s is too short: %d evaluations are missing", file, lost)
    return found


def _evaluation(line: str) -> Fields:
    """Return a line, if it has what others rely on."""
    found: Fields = parse_json(line)
    if "scores" in found and found.pop("check", None) != checksum(found):  # since there are both
        raise ValueError
    numbers = (found["episode"], found["moves"], found["seconds"], found["active"])
    if not all(isinstance(number, int | float) for number in numbers):
        raise TypeError
    for result in found["results"]:
        if not isinstance(result["opponent"], str) or not isinstance(result["mean"], int | float):
            raise TypeError
    return found
