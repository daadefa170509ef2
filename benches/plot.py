#!/usr/bin/env python3
"""Draw the benchmarks' figures, as benches/README.md states them, into benches/plot.svg for the top of the project's README.

    python3 benches/plot.py           write plot.svg beside this file
    python3 benches/plot.py --check   exit with 1 if plot.svg is not what the tables say now

Every number in the picture, those in its titles too, is read from the tables; one that is missing is named and nothing is
written. It needs Python 3.9 and nothing else.
"""

import argparse
import math
import re
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
TABLES = FOLDER / "README.md"
PICTURE = FOLDER / "plot.svg"

NAME = "bsdigest"
BLOCKS = ["20000 files of 4 KiB", "2000 files of 1 MiB"]
FILES_COMMANDS = [  # label, look, and what the command matches
    (NAME, "ours", r"xargs .*\$MD5"),
    ("xargs -P2 md5sum", "peer", r"xargs .*-P2 .*md5sum .*"),
    ("md5sum", "peer", r"xargs (?!.*-P).* md5sum"),
]
STORE_COMMANDS = [
    (NAME, "ours", r"md5"),
    ("without read-ahead", "kin", r"md5 --read-ahead=0"),
    ("and 16 KiB buffers", "kin", r"md5 --read-ahead=0 --buffer-size=16K"),
    ("md5sum", "peer", r"md5sum"),
    ("openssl dgst", "peer", r"openssl dgst -md5"),
]
PEERS_HEADER = ["algorithm", "ours", "peer", "its speed", "ours ÷ its"]
PEERS = [("OpenSSL", "OpenSSL"), ("the crate", "Rust crate")]  # in the table, and in the picture
ALGORITHMS = ["md5", "sha1", "sha256", "sha512", "rmd160", "skein256", "skein512", "skein1024"]

WIDTH, MARGIN, GAP = 920, 24, 32
LEFT_WIDTH = 448
LEFT_ROW, RIGHT_ROW = 24, 18  # from one bar to the next
BETWEEN = 6  # bars

STYLE = """
    text { font: 12px -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .title { font-size: 15px; font-weight: 600 }
    .strong { font-weight: 600 }
    .note, .unit, .tick { fill: #59636e }
    .note, .tick { font-size: 11px }
    .unit { font-weight: 400 }
    .end { text-anchor: end }
    .middle { text-anchor: middle }
    .card { fill: #f6f8fa; stroke: #d1d9e0 }
    .line { stroke: #d1d9e0; fill: none }
    .ours { fill: #0969da }
    .kin { fill: #80b8f2 }
    .peer { fill: #adb5be }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .note, .unit, .tick { fill: #9198a1 }
      .card { fill: #151b23; stroke: #3d444d }
      .line { stroke: #3d444d }
      .ours { fill: #4493f8 }
      .kin { fill: #2f5f9e }
      .peer { fill: #656c76 }
    }
"""


class Missing(Exception):
    """Something that the picture needs and the tables lack."""


# Reading the tables


@dataclass
class Measure:
    """One row of a table: what was measured, the figure to show, and how many times as fast ours is."""

    label: str
    look: str
    figure: str
    ratio: str
    fetches: str = ""

    @property
    def value(self):
        return float(self.figure)


@dataclass
class Figures:
    """All that the picture shows."""

    files: dict  # lists of measures by block
    store: list
    store_title: str
    peers: dict  # lists of measures by algorithm, ours first
    machine: str
    openssl: str


def read_figures(text):
    peers, openssl = read_peers(section(text, "`peers`"))
    store, store_title = read_store(section(text, "`store`, the report's file"))
    files = section(text, "`files`")
    return Figures(
        files={title: read_block(files, title) for title in BLOCKS},
        store=store,
        store_title=store_title,
        peers=peers,
        machine=find(r"of one machine \(([^)]*)\)", " ".join(text.split()), "the machine, 'of one machine (…)'"),
        openssl=openssl,
    )


def find(pattern, text, what):
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        raise Missing(what)
    return found[1]


def section(text, heading):
    """What stands below a heading, up to the next one."""
    return find(rf"(?s)^## {re.escape(heading)} *\n(.*?)(?=^## |\Z)", text, f"the section '## {heading}'")


def choose(rows, commands, where):
    """The rows of some commands, of (command, figure, ratio, fetches) each, by label and in the order of the commands."""
    measures = []
    for label, look, pattern in commands:
        row = next((row for row in rows if re.fullmatch(pattern, row[0])), None)
        if not row:
            raise Missing(f"the row of '{label}' (a command like {pattern}) in {where}")
        measures.append(Measure(label, look, *row[1:]))
    return measures


def read_block(text, title):
    """The MD5 times of the first block under a title."""
    where = f"'{title}, md5' of '## `files`'"
    block = find(rf"^{re.escape(title)}, md5\n((?:  .*\n)+)", text, f"the block {where}")
    rows = re.findall(r"^  (\S.*?) +([\d.]+) s +([\d.]+) ×", block, re.MULTILINE)
    return choose(rows, FILES_COMMANDS, where)


def read_store(text):
    """The times and fetches of the slow store, and what the store is."""
    where = "'## `store`, the report's file'"
    title = find(r"^(\d+ records of .*)$", text, f"the line 'N records of …' in {where}")
    rows = re.findall(r"^(\S.*?) +(\d+) records +([\d.]+) s +([\d.]+) ×", text, re.MULTILINE)
    rows = [(command, f"{float(figure):.3g}", ratio, fetches) for command, fetches, figure, ratio in rows]
    return choose(rows, STORE_COMMANDS, where), re.sub(r"(\d)ms\b", r"\1 ms", title)


def read_peers(text):
    """Each algorithm's speed beside its peers' where there is AVX-512, and which OpenSSL it was."""
    where = "the table of '## `peers`' with AVX-512"
    introduction, rows = peers_table(text, where)
    for peer, _ in PEERS:
        if not any(row[2] == peer for row in rows):
            raise Missing(f"the rows of '{peer}' in {where}")
    peers = {}
    for algorithm in ALGORITHMS:
        beside = {peer: (ours, speed, ratio) for name, ours, peer, speed, ratio in rows if name == algorithm}
        if not beside:
            raise Missing(f"the rows of '{algorithm}' in {where}")
        ours = next(iter(beside.values()))[0]
        others = [Measure(label, "peer", *beside[peer][1:]) for peer, label in PEERS if peer in beside]
        peers[algorithm] = [Measure(NAME, "ours", ours, "1.00"), *others]
    return peers, find(r"(OpenSSL \d[\d.]*\d)", introduction, f"OpenSSL's version above {where}")


def peers_table(text, where):
    """The first table with the peers' header that is not said to be without AVX-512: what introduces it, and its rows."""
    introduction = ""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines = paragraph.splitlines()
        if not lines[0].startswith("|"):
            introduction = paragraph
            continue
        header, _, *rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
        if header == PEERS_HEADER and "without avx-512" not in introduction.lower():
            return introduction, [row for row in rows if len(row) == len(header)]
    raise Missing(f"{where} (| {' | '.join(PEERS_HEADER)} |)")


# Drawing


def text_at(x, y, words, look=""):
    look = f' class="{look}"' if look else ""
    return f'<text x="{x:g}" y="{y:g}"{look}>{escape(words, quote=False)}</text>'


def quantity_at(x, y, number, unit, look):
    """A number with what it counts, which stands back."""
    look = ' class="strong"' if look == "ours" else ""
    return f'<text x="{x:g}" y="{y:g}"{look}>{escape(number)} <tspan class="unit">{escape(unit)}</tspan></text>'


def row(x, y, pitch, measure, length, unit):
    """A bar that starts at x, its label on the left and its value on the right."""
    thickness = pitch - BETWEEN
    baseline = y + thickness / 2 + 4
    look = "end strong" if measure.look == "ours" else "end"
    return [
        text_at(x - 8, baseline, measure.label, look),
        f'<rect x="{x:g}" y="{y:g}" width="{length:.1f}" height="{thickness}" rx="2" class="{measure.look}"/>',
        quantity_at(round(x + length + 6, 1), baseline, measure.figure, unit, measure.look),
    ]


def with_ratio(unit, measure):
    return unit if measure.look == "ours" else f"{unit} · {measure.ratio} ×"


def heading(x, y, title, note):
    return [text_at(x, y, title, "title"), text_at(x, y + 18, note, "note")]


def span(ratios):
    """The least and the greatest of some ratios as the tables write them."""
    least, greatest = min(ratios, key=float), max(ratios, key=float)
    return least if least == greatest else f"{least}–{greatest}"


def ratios_to(label, groups):
    return [measure.ratio for measures in groups.values() for measure in measures if measure.label == label]


def files_title(figures):
    return f"Many files: {span(ratios_to('md5sum', figures.files))} × as fast as md5sum"


def store_title(figures):
    md5sum = next(measure for measure in figures.store if measure.label == "md5sum")
    return f"Slow record store: {float(md5sum.ratio):g} × as fast as md5sum"


def peers_title(figures):
    return f"One core: {span(ratios_to('OpenSSL', figures.peers))} × as fast as OpenSSL"


def files_panel(x, y, figures):
    """Each block of files to its own scale. Returns what it draws, and where it ends."""
    note = "MD5 of cached files in seconds, each group to its own scale; lower is better"
    drawn = heading(x, y, files_title(figures), note)
    y += 46
    for title, measures in figures.files.items():
        drawn.append(text_at(x, y, title, "strong"))
        longest = max(measure.value for measure in measures)
        y += 10
        for measure in measures:
            length = 200 * measure.value / longest
            drawn += row(x + 132, y, LEFT_ROW, measure, length, with_ratio("s", measure))
            y += LEFT_ROW
        y += 18
    return drawn, y


def store_panel(x, y, figures):
    """The times on a scale of powers of ten."""
    drawn = heading(x, y, store_title(figures), f"MD5 of {figures.store_title}; log scale; lower is better")
    start, width, y = x + 132, 180, y + 32
    first = math.floor(math.log10(min(measure.value for measure in figures.store)))
    last = math.ceil(math.log10(max(measure.value for measure in figures.store)))
    for measure in figures.store:
        length = width * (math.log10(measure.value) - first) / (last - first)
        drawn += row(start, y, LEFT_ROW, measure, length, f"s · {measure.fetches} fetches")
        y += LEFT_ROW
    drawn.append(f'<path d="M{start} {y}H{start + width}" class="line"/>')
    for power in range(first, last + 1):
        at = round(start + width * (power - first) / (last - first), 1)
        drawn.append(f'<path d="M{at:g} {y}v4" class="line"/>')
        drawn.append(text_at(at, y + 16, f"{10.0**power:g} s", "tick middle"))
    return drawn, y + 16


def peers_panel(x, y, figures):
    """Each algorithm beside its peers, all to one scale."""
    drawn = heading(x, y, peers_title(figures), "MB/s of 1 MiB in memory, with AVX-512; higher is better")
    longest = max(measure.value for measures in figures.peers.values() for measure in measures)
    y += 32
    for algorithm, measures in figures.peers.items():
        drawn.append(text_at(x, y + 10, algorithm, "strong"))
        for measure in measures:
            length = 118 * measure.value / longest
            drawn += row(x + 146, y, RIGHT_ROW, measure, length, with_ratio("MB/s", measure))
            y += RIGHT_ROW
        y += 8
    return drawn, y - 8


def footer(x, y, figures):
    return [
        f'<path d="M{x} {y - 19}H{WIDTH - MARGIN}" class="line"/>',
        text_at(x, y, f"{figures.machine}; {figures.openssl}", "note"),
        text_at(WIDTH - MARGIN, y, f"2 ×: {NAME} is twice as fast. Figures: benches/README.md", "note end"),
    ]


def draw(figures):
    right = MARGIN + LEFT_WIDTH + GAP
    files, y = files_panel(MARGIN, 40, figures)
    store, left_end = store_panel(MARGIN, y + 26, figures)
    peers, right_end = peers_panel(right, 40, figures)
    end = max(left_end, right_end) + 40
    height = end + 18
    titles = [files_title(figures), store_title(figures), peers_title(figures)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
            ' role="img" aria-labelledby="title summary">',
            f'<title id="title">How fast {NAME} is</title>',
            f'<desc id="summary">{escape(". ".join(titles), quote=False)}.</desc>',
            f"<style>{STYLE}</style>",
            f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8" class="card"/>',
            *files,
            *store,
            *peers,
            *footer(MARGIN, end, figures),
            "</svg>\n",
        ]
    )


def main():
    parser = argparse.ArgumentParser(description="Draw benches/plot.svg from the tables in benches/README.md.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the picture is stale")
    check = parser.parse_args().check
    try:
        picture = draw(read_figures(TABLES.read_text("utf-8")))
    except Missing as missing:
        sys.exit(f"plot.py: {TABLES} lacks {missing}")
    if not check:
        PICTURE.write_bytes(picture.encode())
    elif not PICTURE.exists() or PICTURE.read_bytes() != picture.encode():
        sys.exit(f"plot.py: {PICTURE} is not what {TABLES.name} says: run python3 benches/plot.py")


if __name__ == "__main__":
    main()
