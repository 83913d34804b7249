"""Where the numbers of a report come from, as rows for people: what was played, under which rules, with what."""

from __future__ import annotations

import shlex

from meeplecarlo.report.formats import plural
from meeplecarlo.store.dataset import Run
from meeplecarlo.variant import format_value


def command_line(manifest: dict) -> str:
    """Return the command that made the run, as it would be typed."""
    words = [str(w) for w in manifest.get("command") or []]
    if not words or words[0] in ("-c", ""):
        return "called from Python"
    words[0] = words[0].replace("\\", "/").rsplit("/", 1)[-1]
    return shlex.join(words)


def design_words(run: Run) -> str:
    """Return how many games were played on how many deals."""
    design = run.manifest["design"]
    if run.seatings == 1:
        how = "each played once, since all seats hold the same player"
    else:
        how = f"each played in {run.seatings} seatings: a random order of the players and its rotations"
    return f"{plural(design['games'], 'game')} on {plural(design['deals'], 'deal')}, {how}"


def facts(run: Run) -> list[tuple[str, str]]:
    """Return name and value of what is to be known about a run."""
    m = run.manifest
    changes = m["game"]["changes"]
    found = [
        ("Game", f"{run.game.title}, rules version {m['game']['rules_version']}"),
        ("Line-up", ", ".join(run.lineup)),
        ("Design", design_words(run)),
        ("Changes from the box", ", ".join(f"{k} = {v}" for k, v in changes.items()) or "none"),
        ("Seed", str(m["seed"])),
        ("Rules hash", m["game"]["rules_hash"]),
        ("Command", command_line(m)),
        ("Tables kept", ", ".join(m["settings"]["tables"])),
        ("Software", ", ".join(f"{name} {v}" for name, v in m["software"].items())),
        ("Python", f"{m['environment']['python']} on {m['environment']['platform']}"),
    ]
    seconds = (m.get("resources") or {}).get("seconds")
    if seconds:
        found.append(("Time", f"{seconds:,.1f} s"))
    return found


def rules_table(run: Run) -> list[list[str]]:
    """Return the rule options and component files of a run: name, value, in the box, mark, meaning."""
    game, used = run.game, run.manifest["game"]
    rows = []
    for option in game.options:
        value = used["options"].get(option.name, option.default)
        value = tuple(value) if isinstance(value, list) else value
        rows.append([option.name, format_value(value), format_value(option.default), option.mark, option.meaning])
    for component in game.components:
        file = used["components"].get(component.name, {}).get("file", "–")
        rows.append([component.name, file, component.shipped[0], component.mark, component.meaning])
    return rows


def assumed(run: Run) -> list[str]:
    """Return the names of the components whose content is assumed, not known from the box."""
    return [c.name for c in run.game.components if c.mark == "assumed"]
