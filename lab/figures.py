# SPDX-License-Identifier: Apache-2.0
"""Figures for papers, as `doc2s report --svg` and `--pdf` draw them: python3 figures.py <REQUEST >FIGURES.

The request is JSON: "format", "data" as on the report's page, and "figures" (measure, axis, log_x, log_y, file; up_to ends the axis there, 0 at the
curves' end, and thins the curves). Of each figure that has a curve come its file's name, a blank, its size, a line's end and its bytes."""
import sys

sys.path[:] = filter(None, sys.path)  # nothing from the working directory
import io
import json
import logging
import math
import warnings

sys.excepthook = lambda kind, error, _: sys.stdout.write(f"{kind.__name__}: {error}".replace("\n", " "))
logging.disable()
warnings.simplefilter("ignore")
try:
    import matplotlib
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator
except ImportError:
    sys.exit(3)

PAPER = {"svg": (5.6, 3.3, 9), "pdf": (3.5, 2.15, 7)}  # width and height without the key in inches, size of the letters
METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")  # of Okabe and Ito
LOOKS = (("-", "o"), ((0, (6, 2)), "s"), ((0, (1.5, 1.5)), "^"), ((0, (7, 2, 1.5, 2)), "D"), ((0, (3.5, 2)), "v"), ((0, (7, 2, 1.5, 2, 1.5, 2)), "P"),
         ((0, (1, 1)), "X"))
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "doc2s", "pdf.fonttype": 42, "font.sans-serif": ["DejaVu Sans", "Helvetica"], "axes.unicode_minus": False,
         "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.7, "axes.grid": True, "axes.grid.axis": "y", "axes.axisbelow": True,
         "grid.color": "#e4e4e4", "grid.linewidth": 0.6, "xtick.major.size": 3, "ytick.major.size": 3, "legend.frameon": False, "legend.borderpad": 0.5,
         "legend.borderaxespad": 0, "legend.handlelength": 3, "legend.columnspacing": 1.5, "legend.labelspacing": 0.35}
WIDE = 10**1.5  # from where on an axis is logarithmic by itself


class Curve:
    """A group's mean over seeds, with its range. Seeds are recorded at different places (seconds), so values are interpolated. A band ends
    where its first seed ends, unless that one stopped early."""

    def __init__(self, group, runs, axis, measure, up_to):
        self.label = "".join(letter if letter.isprintable() else " " for letter in group["label"])
        lines = [line for line in (line_of(runs[k], axis, measure) for k in group["runs"]) if len(line[0])]
        self.x = np.unique(np.concatenate([x for x, _ in lines])) if lines else np.empty(0)
        ends = [x[-1] for x, _ in lines]
        if lines and min(ends) >= 0.9 * max(ends):
            self.x = self.x[self.x <= min(ends)]
        values = [np.interp(self.x, x, y, math.nan, math.nan) for x, y in lines] or [self.x]
        if len(lines) == 1:
            self.x, values = lines[0][0], [lines[0][1]]
        self.y, self.low, self.high = np.nanmean(values, 0), np.nanmin(values, 0), np.nanmax(values, 0)
        self.band = len(group["runs"]) > 1
        self.is_worth_drawing = bool(np.any((self.x > self.x[:1]) & np.isfinite(self.y)))
        if up_to is not None and self.is_worth_drawing:
            self.thin(up_to)

    def thin(self, up_to, most=120):
        """Every k-th point, up to the first behind that place."""
        last = min(np.searchsorted(self.x, up_to, "right") if up_to > 0 else len(self.x), len(self.x) - 1)
        kept = sorted({*range(0, last + 1, last // most + 1), last})
        self.x, self.y, self.low, self.high = (values[kept] for values in (self.x, self.y, self.low, self.high))


def line_of(run, axis, measure):
    """Without records that lack the place, or a measure that only some have; a consensus error that is rounding is cut out."""
    x, y = (np.broadcast_to(np.array(run["columns"].get(one["name"]), float), run["points"]) for one in (axis, measure))
    x, y = (np.where((values == 0) | (abs(np.log10(abs(values))) < 250), values, math.nan) for values in (x, y))  # beyond, axes overflow
    there = (x >= 0) & ~(np.isnan(y) & measure["sparse"])
    if measure["name"].startswith("consensus"):
        float32 = (run["setting"] or {}).get("precision") == "float32"
        y = np.where((y > 0) & (y < np.nanmax([1, *y]) * (1e-6 if float32 else 1e-13)), math.nan, y)
    return x[there], y[there]


def unit_for(form, largest):
    """What a unit divides by, and its name."""
    names = ["", "kB", "MB", "GB", "TB", "PB"] if form == "bytes" else ["", "thousands", "millions", "billions", "10¹²", "10¹⁵"]
    if form == "seconds" or largest < (1e3 if form == "bytes" else 1e6):
        return 1, ""
    k = min(int(math.log10(largest) / 3), 5)
    return 1000**k, f" ({names[k]})"


def ten_to(power):
    return "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def number(value, step):
    """20,000 · 0.25 · 2×10⁻⁵"""
    if abs(value) < step / 1e3:
        return "0"
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    if decimals > 4 or abs(value) >= 1e7:
        power = math.floor(math.log10(abs(value)) + 1e-9)
        return f"{round(value / 10.0**power, 3):g}×{ten_to(power)}"
    return f"{value:,.{decimals}f}"


def linear_ticks(low, high, wanted, percent=False):
    scale = 100 if percent else 1
    ticks = MaxNLocator(wanted, steps=[1, 2, 5, 10]).tick_values(low * scale, high * scale)
    return {tick / scale: number(tick, ticks[1] - ticks[0]) + (" %" if percent else "") for tick in ticks}


def log_ticks(low, high, wanted):
    """Decades, some of them where there are many; within less than two also 2 and 5 times a decade, within less than one those of a linear axis."""
    decades = math.log10(high / low)
    if decades < 1:
        return linear_ticks(low, high, wanted)
    powers = [power for power in range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1) if power % max(1, math.ceil(decades / 7)) == 0]
    return {factor * 10.0**power: f"{factor}×{ten_to(power)}" if factor > 1 else ten_to(power)
            for power in powers for factor in ((1, 2, 5) if decades <= 2 else (1,))}


def dress(ax, name, logarithmic, title, low, high, ticks):
    ticks = {place: text for place, text in sorted(ticks.items()) if low <= place <= high * (1 + 1e-9)}
    ax.set(**{f"{name}scale": "log" if logarithmic else "linear", f"{name}label": title, f"{name}lim": (low, high), f"{name}ticks": [*ticks],
              f"{name}ticklabels": [*ticks.values()]})
    getattr(ax, f"{name}axis").set_ticks([], minor=True)


def dress_x(ax, curves, axis, up_to, log):
    """Logarithmic also where curves end more than a decade and a half apart. Returns what its unit divides by, and whether it is logarithmic."""
    places = np.concatenate([curve.x for curve in curves])
    first, ends = places[places > 0].min(), [curve.x.max() for curve in curves]
    end = up_to or places.max()
    if first < end and (log or max(ends) > WIDE * min(ends)):
        dress(ax, "x", True, axis["title"], 0.95 * first, end, log_ticks(0.95 * first, end, 5))
        return 1, True
    divisor, unit = unit_for(axis["format"], end)
    dress(ax, "x", False, axis["title"] + unit, 0, end / divisor, linear_ticks(0, end / divisor, 5))
    return divisor, False


def value_range(curves, form, logarithmic):
    """The axis of a loss ends at twice what the curves start from (losses may be negative), and that of an accuracy begins at the lowest value after a
    fifth of the way, so that it shows where curves differ."""
    values = np.concatenate([values for curve in curves for values in (curve.y, curve.low, curve.high)])
    values = values[np.isfinite(values) & ((values > 0) if logarithmic else True)]
    if not len(values):
        return None
    low, high = values.min(), values.max()
    if form == "loss":
        start = max(curve.y[np.isfinite(curve.y)][0] for curve in curves)
        high = min(high, start + abs(start)) if low < start + abs(start) else high
    if form == "share":
        climbed = 0.2 * min(curve.x.max() for curve in curves)
        least = np.nanmin(np.concatenate([curve.y[curve.x >= climbed] for curve in curves]))
        low = max(low, least) if least < high else low
    return low, high


def dress_y(ax, curves, measure, log):
    """Logarithmic also for a norm, and for a loss that spans more than a decade and a half. Returns whether it is."""
    form = measure["format"]
    every, positive = (value_range(curves, form, logarithmic) for logarithmic in (False, True))
    low, high = every
    log = bool(positive) and (log or form == "norm" or form == "loss" and 0 < WIDE * low < high)
    if log:
        low, high = positive
        factor = (high / low) ** 0.05 if high > low else 1.5
        low, high = low / factor, high * factor
    else:
        margin = 0.05 * (high - low) if high - low > 1e-9 * abs(high) else 0.1 * abs(high) + 1e-6
        low, high = low - margin, high + margin
    ticks = log_ticks(low, high, 6) if log else {}
    if sum(low <= tick <= high for tick in ticks) < 2:
        ticks = linear_ticks(low, high, 6, form == "share")
    dress(ax, "y", log, measure["title"], low, high, ticks)
    return log


def draw_curve(ax, curve, k, divisor, log_x, log_y):
    """After seven curves the colours come again, each with another dash and mark."""
    colour, (dashes, mark) = COLOURS[k % len(COLOURS)], LOOKS[(k + k // len(COLOURS)) % len(LOOKS)]
    there = np.isfinite(curve.y) & ((curve.x > 0) | (not log_x)) & ((curve.low > 0) | (not log_y))
    x, y = curve.x / divisor, np.where(there, curve.y, math.nan)
    if curve.band:
        ax.fill_between(x, curve.low, curve.high, there, color=colour, alpha=0.18, linewidth=0)
    return ax.plot(x, y, color=colour, linestyle=dashes, marker=mark, linewidth=1.2, markersize=3, markevery=max(1, len(x) // 8))[0]


def draw_key(figure, lines, labels):
    """Below the axes, in as many columns as fit, long labels cut. Returns its height in inches."""
    for columns, most in [*((columns, 999) for columns in range(min(6, len(lines)), 0, -1)), *((1, most) for most in range(120, 0, -3))]:
        key = figure.legend(lines, [""] * len(lines), loc="lower center", ncol=columns)
        for text, label in zip(key.get_texts(), labels):
            text.set(text=label if len(label) <= most else label[:most - 1] + "…", parse_math=False)
        extent = key.get_window_extent(figure.canvas.get_renderer())
        if extent.width < figure.bbox.width:
            return extent.height / figure.dpi
        key.remove()


def draw(asked, data, form):
    """The bytes of a figure; none where it has no curve."""
    measure, axis = ({one["name"]: one for one in data["quantities"]}[asked[which]] for which in ("measure", "axis"))
    curves = [Curve(group, data["runs"], axis, measure, asked["up_to"]) for group in data["groups"]]
    curves = [curve for curve in curves if curve.is_worth_drawing]
    if not curves:
        return b""
    width, height, _ = PAPER[form]
    figure = Figure((width, height), dpi=72)
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    divisor, log_x = dress_x(ax, curves, axis, asked["up_to"], asked["log_x"])
    log_y = dress_y(ax, curves, measure, asked["log_y"])
    lines = [draw_curve(ax, curve, k, divisor, log_x, log_y) for k, curve in enumerate(curves)]
    key = draw_key(figure, lines, [curve.label for curve in curves])
    figure.set_figheight(height + key)
    figure.tight_layout(pad=0.4, rect=(0, key / (height + key), 1, 1))
    file = io.BytesIO()
    title = f"doc2s: {measure['title']} against {axis['title']}"
    figure.savefig(file, format=form, metadata={**METADATA[form], "Title": title})
    return file.getvalue()


def main():
    request = json.load(sys.stdin.buffer)
    matplotlib.rcdefaults()
    matplotlib.rcParams.update({**STYLE, "font.size": PAPER[request["format"]][2]})
    drawn = {asked["file"]: draw(asked, request["data"], request["format"]) for asked in request["figures"]}
    sys.stdout.buffer.write(b"".join(f"{file} {len(figure)}\n".encode() + figure for file, figure in drawn.items() if figure))


main()
