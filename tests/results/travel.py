# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/results.md about state that travels, from what `doc2s reproduce travel-…` wrote."""
from results.kept import TASKS, best, count, figures, number, number_of_times, study, table

AXES = {"samples": "samples", "computation_rounds": "computation rounds", "communication_rounds": "communication rounds", "bytes": "bytes"}
SPLITS = {"iid": "iid", "sorted": "sorted"}
DRAWN = ("DOC²S", "doc2s-travel", "token", "ME-DOL", "DSGD", "gradient tracking")  # one line a method
SQUARE = {"epochs, uniform": "doc2s-travel", "epochs, tour": "doc2s-travel, tour",
          "exponential, uniform": "token, uniform", "exponential, tour": "token"}


def studies(order):
    """(task and split in words, its file) of those that were made."""
    for task, title in TASKS.items():
        for split in SPLITS:
            read = study(f"travel-{order}-{task}-{split}")
            if read:
                yield f"{title}, {SPLITS[split]}", read


def megabytes(bytes_):
    size = bytes_ / 1e6
    return f"{size:,.0f} MB" if size >= 100 else f"{size:.3g} MB"


def budget(read, axis):
    amount = next(view["budget"] for view in read["views"] if view["axis"] == axis)
    return megabytes(amount) if axis == "bytes" else f"{count(amount)} {AXES[axis]}"


def line(read, axis, label):
    return next((one for one in figures(read, axis) if one.line == label), None)


def clear_leader(lines):
    leader = best(lines)
    return leader if leader and all(leader.clear_of(one) for one in lines if one.known and one is not leader) else None


def lines_table(read):
    """Every line on every axis: mean and range of the seeds, and the setting that was found."""
    labels = list(dict.fromkeys(one["line"] for one in read["shown"]))
    leaders = {axis: clear_leader(figures(read, axis)) for axis in AXES}
    rows = []
    for label in labels:
        cells = []
        for axis in AXES:
            one = line(read, axis, label)
            text = "–" if one is None else f"{one}" + (f"<br>{one.setting}" if one.known else "")
            cells.append(f"**{text}**" if one and leaders[axis] and one.line == leaders[axis].line else text)
        rows.append([label] + cells)
    name = read["study"]
    return table(["", *(budget(read, axis) for axis in AXES)], rows) + ["", f"[settings, every seed, hashes](results/{name}.json)"]


def square_table():
    """What made a gain: the learner or the route."""
    rows = []
    for words, read in studies("first"):
        for axis in ("samples", "bytes"):
            rows.append([f"{words}, {budget(read, axis)}"] + [str(line(read, axis, label)) for label in SQUARE.values()])
    return table(["loss", *SQUARE], rows) if rows else ["Not made yet."]


def least_bytes(read, label):
    """Mean over the seeds of the fewest bytes until the goal, over the runs of all axes that got there with every seed; else None."""
    reached = [one["bytes_until_goal"] for one in read["shown"] if one["line"] == label and None not in one["bytes_until_goal"]]
    return min((sum(one) / len(one) for one in reached), default=None)


def most_bytes(read, label):
    return max(one["counts"]["bytes"] for one in read["shown"] if one["line"] == label)


def until_table():
    """Bytes until the goal."""
    labels = ["DOC²S", "doc2s-travel", "token", "token, 16 travellers", "ME-DOL", "DSGD", "DSGD, momentum", "gradient tracking"]
    rows = []
    for words, read in studies("first"):
        cells = []
        for label in labels:
            bytes_ = least_bytes(read, label)
            cells.append(f"> {megabytes(most_bytes(read, label))}" if bytes_ is None else megabytes(bytes_))
        rows.append([f"{words}, loss {read['goal']}"] + cells)
    return table(["sent until", *labels], rows, right=True) if rows else ["Not made yet."]


def share_sentence(read, split, other, wanted):
    mine, its = line(read, "samples", "token"), line(read, "samples", other)
    share = mine.mean / its.mean
    verdict = "held" if share <= wanted else "not held"
    return f"- {split}: token's loss at {budget(read, 'samples')} is {share:.2f} of {other}'s ({mine} against {its}); at most {wanted} was expected: **{verdict}**."


def expected_list():
    """What a trial outside this project let us expect on MNIST."""
    lines = []
    for split in SPLITS:
        read = study(f"travel-first-mnist-{split}")
        if read:
            lines += [share_sentence(read, split, "ME-DOL", 0.75), share_sentence(read, split, "DSGD", 0.85)]
    read = study("travel-first-mnist-sorted")
    if read:
        mine, its = least_bytes(read, "token"), least_bytes(read, "DSGD")
        limit = most_bytes(read, "DSGD") if its is None else its
        more = "more than " if its is None else ""
        times = "never" if mine is None else number_of_times(limit / mine)
        verdict = "held" if mine is not None and limit >= 10 * mine else "not held"
        lines.append(f"- sorted, bytes until loss {read['goal']}: DSGD takes {more}{times} times token's; at least 10 was expected: **{verdict}**.")
    return lines or ["Not made yet."]


def picture_text():
    """The picture's caption: each method's loss for the same bytes, the best first."""
    read = study("travel-first-mnist-sorted")
    if read is None:
        return ["Not made yet."]
    known = sorted((one for one in figures(read, "bytes") if one.known and one.line in DRAWN), key=lambda one: one.mean)
    losses = ", ".join(f"{one.line} {number(one.mean)} ({number(min(one.by_seed))}–{number(max(one.by_seed))})" for one in known)
    return [f"*Loss for {budget(read, 'bytes')} sent over edges, MNIST sorted by label, every line tuned with {read['trials']} trials, mean and range of three seeds: {losses}. "
            "`doc2s` is the paper's method, `doc2s-travel` (uniform route) keeps its theorem, `token`, DSGD and gradient tracking have no guarantee here.*"]


def block(words):
    kind, *rest = words
    return {"square": square_table, "until": until_table, "expected": expected_list, "picture": picture_text}[kind](*rest)
