# SPDX-License-Identifier: Apache-2.0
"""The paper's claims beside what was measured; every number and verdict is computed."""
from results.kept import KEPT, ORDERS, SPLITS, count, figures, number, study, table
from results.papers_methods import GRIDS, PAPERS, TUNED, tally, tally_words

ABLATED = [(task, order) for task in ("a9a", "mnist") for order in ("first", "zeroth")]
HELD, PARTLY, NOT, UNKNOWN = "held", "held in part", "**not held**", "not made yet"


def verdict(held, all_of):
    return UNKNOWN if all_of == 0 else HELD if held == all_of else NOT if held == 0 else PARTLY


def picture(name, file, words):
    return f'<img src="results/{name}-{file}.svg" width="320" alt="{words}">' if (KEPT / f"{name}.json").exists() else ""


def against_axis(axis, words, shown):
    """A claim about one axis: how often DOC²S is ahead, as the paper runs it (R = 2) and with R tuned."""
    parts, verdicts = [], []
    for line, title in ((PAPERS, "R = 2, as in the paper"), (TUNED, "R tuned")):
        texts, ahead, all_of = [], 0, 0
        for order in ORDERS:
            for split in SPLITS:
                both = [tally(order, grid, axis, line, [split]) for grid in GRIDS]
                counts = {word: sum(each[word] for each in both) for word in both[0]}
                if sum(counts.values()):
                    texts.append(f"{order} order, {SPLITS[split]} {tally_words(counts)}")
                    ahead, all_of = ahead + counts["ahead"], all_of + sum(counts.values())
        parts.append(f"{title}: {'; '.join(texts)}")
        verdicts.append(f"{title.split(',')[0]}: {verdict(ahead, all_of)}")
    return [words, "<br>".join(verdicts), f"comparisons in which DOC²S is ahead / level / behind. {'<br>'.join(parts)}", shown]


def falls(lines):
    """How many lines are better than the one before with every seed, and how many are worse."""
    outcomes = [after.against(before) for before, after in zip(lines, lines[1:])]
    return outcomes.count("ahead"), outcomes.count("behind")


def steps_claim(words, ablation, measure, labels, introduction, shown):
    """A claim that a measure falls from each line to the next."""
    better = worse = steps = 0
    parts = []
    for task, order in ABLATED:
        read = study(f"ablation-{ablation}-{task}-{order}")
        if read:
            by_label = {one.line: one for one in figures(read, "computation_rounds", measure)}
            lines = [by_label[label] for label in labels]
            down, up = falls(lines)
            better, worse, steps = better + down, worse + up, steps + len(lines) - 1
            parts.append(f"{task} {order} order {', '.join(number(one.mean) for one in lines)}")
    return [words, verdict(better, steps),
            f"{introduction}: {'; '.join(parts)}. With every seed better in {better} of {steps} steps, worse in {worse}", shown]


def consensus_claim():
    below = above = all_of = 0
    parts = []
    for task, order in ABLATED:
        read = study(f"ablation-rounds-{task}-{order}")
        if read:
            lines = {one.line: one for one in figures(read, "computation_rounds", "consensus_x")}
            outcome = lines["R = 2"].against(lines["ME-DOL"])
            below, above, all_of = below + (outcome == "ahead"), above + (outcome == "behind"), all_of + 1
            parts.append(f"{task} {order} order {number(lines['R = 2'].mean)} and {number(lines['ME-DOL'].mean)}")
    return ["“DOC²S does benefit from better consensus due to adopting FastGossip”", verdict(below, all_of),
            f"consensus error of x, DOC²S with R = 2 and ME-DOL: {'; '.join(parts)}. Smaller with every seed in {below} of {all_of}, larger in {above}",
            picture("ablation-rounds-mnist-first", "consensus_x-computation_rounds", "consensus error for several R")]


def nothing_moved(lines):
    """Whether all losses, of every line and seed, lie within a thousandth of each other."""
    losses = [value for one in lines for value in one.by_seed]
    return max(losses) - min(losses) < 1e-3 * min(losses)


def step_size_claim():
    worse = all_of = 0
    parts = []
    for task, order in ABLATED:
        read = study(f"ablation-eta-{task}-{order}")
        if read:
            lines = figures(read, "computation_rounds")
            judged = not nothing_moved(lines)
            all_of += judged
            worse += judged and any(lines[-1].against(one) == "behind" for one in lines[:-1])
            parts.append(f"{task} {order} order {', '.join(number(one.mean) for one in lines)}{'' if judged else ' (not judged: nothing moved)'}")
    return ["an excessively large η has “a faster descent at early state” and “does not exhibits good performance finally”", verdict(worse, all_of),
            f"last loss for η = 0.001, 0.005, 0.01: {'; '.join(parts)}. The largest η ends worse than another with every seed in {worse} of {all_of}; "
            "the early descent is in the figure", picture("ablation-eta-a9a-first", "loss_mean_point-computation_rounds", "loss for three step sizes")]


def exponent(slopes, method, counted, name):
    one = next(each for each in slopes if (each["method"], each["count"], each["over"]) == (method, counted, "rings and tori"))
    return one[name], one[name + "_error"], one["table_" + name]


def table_one_claim(method, words, shown):
    """Exponents of n and γ over rings and tori: consistent with the table within two standard errors."""
    read = study("scaling")
    parts, within, slower = [], 0, 0
    for counted in ("samples", "communication_rounds") if read else ():
        for name, letter in (("n", "n"), ("gamma", "γ")):
            measured, error, stated = exponent(read["slopes"], method, counted, name)
            near = abs(measured - stated) <= 2 * error
            within, slower = within + near, slower + (not near and (measured < stated if name == "n" else measured > stated))
            parts.append(f"{counted.replace('_', ' ')} as {letter} to the power {measured:.2f} ± {error:.2f} (table: {stated:g})")
    if not parts:
        return [words, UNKNOWN, "", ""]
    bound_only = slower and within + slower == len(parts)
    return [words, "a bound that is not reached" if bound_only else "consistent" if within == len(parts) else verdict(within, len(parts)),
            f"until the mean point is certified: {'; '.join(parts)}", shown]


def theorem_claim():
    """The largest over clients of the mean over seeds, which the theorem's expectation is about."""
    read = study("theorem")
    words = "Theorem 1: E‖∇f(w_i)‖_δ ≤ ε for all i"
    if not read:
        return [words, UNKNOWN, "", ""]
    by_seed = [run["bounds"] for run in read["runs"] if run["method"] == "DOC²S, exact R"]
    means = [sum(bounds) / len(bounds) for bounds in zip(*by_seed)]
    return [words, HELD if max(means) <= read["epsilon"] else NOT,
            f"certified bound, mean over {len(by_seed)} seeds: {max(means):.3f} at the worst client, {sum(means) / len(means):.3f} over all; ε = {read['epsilon']}", ""]


def claims_table():
    better = "“performs better than baselines with respect to all measures”"
    rows = [against_axis("samples", "“the client sampling strategy makes the sample complexity of our method significantly superior”",
                         picture("first-mnist-sorted-wide", "loss_mean_point-samples", "loss against samples")),
            against_axis("computation_rounds", better + ": computation rounds",
                         picture("first-mnist-sorted-wide", "loss_mean_point-computation_rounds", "loss against computation rounds")),
            against_axis("communication_rounds", better + ": communication rounds",
                         picture("first-mnist-sorted-wide", "loss_mean_point-communication_rounds", "loss against communication rounds")),
            steps_claim("“better connectivity (larger γ) results in a faster convergence”", "gap", "loss_mean_point",
                        ["3 neighbours, γ = 0.0507", "5 neighbours, γ = 0.1476", "7 neighbours, γ = 0.2818", "9 neighbours, γ = 0.4414"],
                        "loss for 3, 5, 7, 9 neighbours",
                        picture("ablation-gap-mnist-first", "loss_mean_point-computation_rounds", "loss for four rings")),
            steps_claim("“the larger R achieves the faster consensus error decay”", "rounds", "consensus_x", ["R = 2", "R = 3", "R = 4"],
                        "R = 1 does not contract on this ring and is refused; consensus error of x for R = 2, 3, 4",
                        picture("ablation-rounds-a9a-first", "consensus_x-computation_rounds", "consensus error for several R")),
            consensus_claim(), step_size_claim(),
            table_one_claim("DOC²S, exact R", "Table 1, DOC²S: samples O(1), communication Õ(γ^−½)",
                            picture("scaling", "goldstein-samples", "certified bound against samples on the ring of 64")),
            table_one_claim("ME-DOL", "Table 1, ME-DOL: samples O(n²γ⁻²), communication O(nγ⁻²)",
                            picture("scaling", "goldstein-communication_rounds", "certified bound against communication rounds on the ring of 64")),
            theorem_claim()]
    return table(["the paper", "", "measured", ""], rows)
