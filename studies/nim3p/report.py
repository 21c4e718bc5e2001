"""docs/science/nim3p.md from stored results."""

from pathlib import Path

from studies.nim3p.exact import makeable, mean
from studies.nim3p.variants import (
    CONVERGED,
    EPSILONS,
    KEY_MOVES,
    LAMBDAS,
    LONGEST,
    RESULTS,
    SEEDS,
    VARIANTS,
    Variant,
)
from studies.pages import DOCS, write_page
from studies.records import Measurement, read
from tafl.reproduction.cells import markdown_table

WORDS = Path(__file__).with_name("page.md")
WEAK, FULL = 0.3, 0.39999  # scores below the one are weak; above the other they are 0.4
COLUMNS = ["change", "TD converges to", "weak seeds", "at 0.400", "mean", "never learned"]

Records = list[Measurement]


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    records = read(RESULTS)
    names = [f"player {player}: ({position})" for player, position in KEY_MOVES]
    values = {
        "exact": markdown_table(
            ["lambda", *(f"epsilon {epsilon}" for epsilon in EPSILONS)], exact_lines(records)
        ),
        "chain": markdown_table(["values", *names], chain_lines(of(VARIANTS[0], records))),
        "variants": markdown_table(COLUMNS, [variant_line(one, records) for one in VARIANTS]),
        "afterstates": str(sum(map(len, makeable()))),
        "seeds": str(len(SEEDS)),
        "reached": next(reached(scores(v, records)) for v in VARIANTS if v.settings == LONGEST),
    }
    return [
        write_page(docs / "science" / "nim3p.md", WORDS, "python -m studies nim3p report", values)
    ]


def of(variant: Variant, records: Records) -> Records:
    """Return the measurements of a variant."""
    return [one for one in records if variant.is_of(one)]


def limit(variant: Variant, records: Records) -> float:
    """Return the score that TD converges to."""
    return next(
        one.value
        for one in of(variant, records)
        if one.agent == CONVERGED and one.metric == "score"
    )


def scores(variant: Variant, records: Records) -> list[float]:
    """Return the scores of all seeds."""
    return [
        one.value
        for one in of(variant, records)
        if one.metric == "score" and one.agent == "A" and "role" not in one.condition
    ]


def exact_lines(records: Records) -> list[list[str]]:
    """Return the score that TD converges to, by lambda and epsilon."""
    lines = []
    for lam in LAMBDAS:
        each = [Variant("", {"td.lambda": lam, "td.epsilon": epsilon}) for epsilon in EPSILONS]
        lines.append([str(lam), *(f"{limit(variant, records):.3f}" for variant in each)])
    return lines


def chain_lines(records: Records) -> list[list[str]]:
    """Return values of the key moves: exact, where player 0 knows its reply, and elsewhere."""
    knows = {
        (one.seed, one.condition["heap"]): bool(one.value)
        for one in records
        if one.metric == "knows_reply" and one.agent == "A"
    }
    known, unknown = ([key for key in knows if knows[key] is sure] for sure in (True, False))
    groups: dict[str, list[tuple[int | None, int]]] = {
        "converged": [(None, 0)],
        f"player 0 has learned the right reply ({len(known)} heaps)": known,
        f"it has not ({len(unknown)} heaps)": unknown,
    }
    values = {
        (one.seed, *(one.condition[name] for name in ("heap", "player", "position"))): one.value
        for one in records
        if one.metric == "position_value"
    }
    return [
        [title, *(f"{mean([values[*key, *move] for key in keys]):.2f}" for move in KEY_MOVES)]
        for title, keys in groups.items()
    ]


def reached(scores: list[float]) -> str:
    """Return how many seeds are as good as can be."""
    return f"{sum(score > FULL for score in scores)} of {len(scores)}"


def variant_line(variant: Variant, records: Records) -> list[str]:
    """Return a row of the table of variants."""
    found = scores(variant, records)
    never = [one.value for one in of(variant, records) if one.metric == "never_learned"]
    return [
        variant.title,
        f"{limit(variant, records):.3f}",
        f"{sum(score < WEAK for score in found)} of {len(found)}",
        reached(found),
        f"{mean(found):.3f}",
        f"{mean(never):.0f}",
    ]
