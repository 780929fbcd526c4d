"""`make quality`: every set of labelled data in a folder, evaluated and scored, as a table in docs/quality.md.

    EVALS=FOLDER python -m tests.quality table

The folder has `metrics.py` and one folder per set, with its rows in `dev.jsonl`.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PAGE = Path("docs/quality.md")
BEFORE, AFTER = "<!-- figures -->\n", "<!-- end of figures -->\n"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A figure that `evaluate` or `metrics.py` prints, and what it should be at least, or at most."""

    name: str
    goal: float
    is_most: bool = False

    def row(self, kind: str, folder: str, figure: float) -> str:
        """A row of the table."""
        met = figure <= self.goal if self.is_most else figure >= self.goal
        sign = "at most" if self.is_most else "at least"
        return f"| {kind} | {folder} | {self.name} | {figure:.3f} | {sign} {self.goal:.2f} | {'yes' if met else 'no'} |"


_A = (Wanted("hit@3", 0.90), Wanted("false_trigger", 0.10, is_most=True))
_A_PROSE = (Wanted("hit@3", 0.70), Wanted("false_trigger/false-attribution", 0.25, is_most=True), _A[1])
_SILENT = (Wanted("false_positive/chit-chat", 0.03, is_most=True), Wanted("false_positive/out-of-scope", 0.10, True))
SETS: Mapping[tuple[str, str], tuple[Wanted, ...]] = {
    ("A", "a_rosie"): _A,
    ("A", "a_clinc_we"): _A,
    ("A", "a_locomo"): _A_PROSE,
    ("B", "b_xquad"): (Wanted("primary_acc/single", 0.95), Wanted("two_kb/both_found", 0.85), *_SILENT),
    ("B", "b_mixed"): (
        Wanted("primary_acc/single", 0.78),
        Wanted("primary_acc/follow-up", 0.75),
        Wanted("two_kb/both_found", 0.70),
        *_SILENT,
    ),
    ("B", "b_everyday"): (
        Wanted("false_positive/life-locomo", 0.05, is_most=True),
        Wanted("false_positive/life-personachat", 0.05, is_most=True),
        Wanted("false_positive/about-character", 0.05, is_most=True),
        Wanted("false_positive/after-a-base", 0.10, is_most=True),
    ),
    ("C", "c_locomo"): (
        Wanted("evidence_recall@5", 0.67),
        Wanted("evidence_recall@5/multi-hop", 0.39),
        Wanted("evidence_recall@5/temporal", 0.80),
    ),
    ("C", "c_beam_user"): (Wanted("evidence_recall@5", 0.57),),
    ("C", "c_beam"): (Wanted("evidence_recall@5", 0.46),),
    ("D", "d_relations"): (Wanted("molweni/macroF1", 0.36), Wanted("precision", 0.50)),
    ("D2", "d_topicshift"): (Wanted("F1/1", 0.52),),
}


def main(arguments: list[str]) -> int:
    """Write the table between the marks of the page; what stands around it stays."""
    evals = Path(os.environ.get("EVALS", ""))
    if not (evals / "metrics.py").is_file():
        sys.stderr.write("Set EVALS to the folder with metrics.py and the sets: make quality EVALS=FOLDER\n")
        return 2
    lines = ["| kind | set | figure | measured | goal | met |", "| --- | --- | --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as folder:
        for (kind, name), wanted in SETS.items():
            if (evals / name).is_dir():
                figure = scores(kind, evals / name, evals / "metrics.py", Path(folder) / f"{name}.jsonl")
                lines += [each.row(kind, name, figure[each.name]) for each in wanted if each.name in figure]
    page = PAGE.read_text() if PAGE.exists() else f"# Quality\n\n{BEFORE}{AFTER}"
    head, _, rest = page.partition(BEFORE)
    PAGE.write_text(f"{head}{BEFORE}\n{os.linesep.join(lines)}\n\n{AFTER}{rest.partition(AFTER)[2]}")
    return 0


def scores(kind: str, folder: Path, metrics: Path, predictions: Path) -> dict[str, float]:
    """By name the figures of one set."""
    evaluate = [sys.executable, "-m", "tests.quality", "evaluate", kind, str(folder), "--predictions", str(predictions)]
    score = [sys.executable, str(metrics), kind, str(folder / "dev.jsonl"), str(predictions)]
    printed = [subprocess.run(each, check=True, stdout=subprocess.PIPE, text=True).stdout for each in (evaluate, score)]
    rows = (line.split("  n=")[0].rsplit(None, 1) for line in "".join(printed).splitlines() if "  n=" in line)
    return {name.strip(): float(value) for name, value in rows if value != "None"}
