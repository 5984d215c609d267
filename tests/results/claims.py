"""The paper's claims beside what was measured, and the README's sentence; every number and verdict is computed."""
from results.kept import KEPT, ORDERS, SPLITS, count, figures, number, study, table
from results.who_is_first import tally

ABLATED = [(task, order) for task in ("a9a", "mnist") for order in ("first", "zeroth")]
AGREE, PARTLY, NOT = "held", "held in part", "**not held**"


def verdict(held, all_of):
    return AGREE if held == all_of else NOT if held == 0 else PARTLY


def picture(name, axis, measure, words):
    return f'<img src="results/{name}-{measure}-{axis}.svg" width="320" alt="{words}">' if (KEPT / f"{name}.json").exists() else ""


def words_of(counts):
    return f"{counts['first']} / {counts['level']} / {counts['behind']}"


def against_axis(axis, words, picture_of):
    """A claim about one axis: the outcomes of the first-order comparisons by split, and of the zeroth-order ones."""
    parts, first, all_of = [], 0, 0
    for order in ORDERS:
        for split in SPLITS:
            counts = tally(order, "wide", "loss_mean_point", axis, [split])
            both = tally(order, "paper", "loss_mean_point", axis, [split])
            counts = {word: counts[word] + both[word] for word in counts}
            if sum(counts.values()):
                parts.append(f"{ORDERS[order].lower()}, {SPLITS[split]}: {words_of(counts)}")
                first, all_of = first + counts["first"], all_of + sum(counts.values())
    return [f"“{words}”", verdict(first, all_of) if all_of else "not made yet", f"comparisons in which DOC²S is first / level / behind: {'; '.join(parts)}", picture_of]


def ordered(values):
    """How many neighbours in the list fall."""
    return sum(after < before for before, after in zip(values, values[1:]))


def gap_claim():
    falls, steps, parts = 0, 0, []
    for task, order in ABLATED:
        read = study(f"ablation-gap-{task}-{order}")
        if read:
            means = [one.mean for one in figures(read, "computation_rounds")]
            falls, steps = falls + ordered(means), steps + len(means) - 1
            parts.append(f"{task} {order} order {', '.join(number(mean) for mean in means)}")
    return ["“better connectivity (larger γ) results in a faster convergence”", verdict(falls, steps) if steps else "not made yet",
            f"loss for 3, 5, 7, 9 neighbours: {'; '.join(parts)}: it falls in {falls} of {steps} steps",
            picture("ablation-gap-mnist-first", "computation_rounds", "loss_mean_point", "loss for four rings")]


def consensus_claims():
    falls = steps = below = all_of = 0
    parts = []
    for task, order in ABLATED:
        read = study(f"ablation-rounds-{task}-{order}")
        if not read:
            continue
        lines = {one.line: one for one in figures(read, "computation_rounds", "consensus_x")}
        means = [lines[f"R = {R}"].mean for R in (2, 3, 4)]
        me_dol = lines["ME-DOL"].mean
        falls, steps = falls + ordered(means), steps + 2
        below, all_of = below + (means[0] < me_dol), all_of + 1
        parts.append(f"{task} {order} order {', '.join(number(mean) for mean in means)}; ME-DOL {number(me_dol)}")
    decay = ["“the larger R achieves the faster consensus error decay”", PARTLY if steps and falls else NOT if steps else "not made yet",
             f"consensus error of x for R = 2, 3, 4: {'; '.join(parts)}. R = 1 does not contract on this ring (ρ = 1.029) and is refused",
             picture("ablation-rounds-a9a-first", "computation_rounds", "consensus_x", "consensus error for several R")]
    smaller = ["DOC²S’s consensus error is below ME-DOL’s (its figure shows it at the paper’s R = 2)",
               verdict(below, all_of) if all_of else "not made yet", f"at R = 2 it is below in {below} of {all_of}: the numbers above", ""]
    return [decay, smaller]


def step_size_claim():
    worse_late = all_of = 0
    parts = []
    for task, order in ABLATED:
        read = study(f"ablation-eta-{task}-{order}")
        if read:
            lines = [one.mean for one in figures(read, "computation_rounds")]
            all_of += 1
            worse_late += lines[-1] > min(lines)
            parts.append(f"{task} {order} order {', '.join(number(mean) for mean in lines)}")
    return ["“an excessively large η exhibits a faster descent at early state, while it does not exhibit good performance finally”",
            verdict(worse_late, all_of) if all_of else "not made yet",
            f"last loss for η = 0.001, 0.005, 0.01: {'; '.join(parts)}: the largest η is not the best in {worse_late} of {all_of}",
            picture("ablation-eta-a9a-first", "computation_rounds", "loss_mean_point", "loss for three step sizes")]


def exponent_words(slopes, method, count, over, name):
    one = next(each for each in slopes if (each["method"], each["count"], each["over"]) == (method, count, over))
    measured, error, stated = one[name], one[name + "_error"], one["table_" + name]
    slower = measured < stated if name == "n" else measured > stated
    return f"{measured:.2f} ± {error:.2f} ({stated:g})", abs(measured - stated) <= 2 * error, slower


def table_one_claim(method, words, of_method):
    """Exponents of n and γ over rings and tori, held within two standard errors."""
    read = study("scaling")
    if not read:
        return [words, "not made yet", "", ""]
    parts, held, slower = [], 0, 0
    for count in ("samples", "communication_rounds"):
        for name, letter in (("n", "n"), ("gamma", "γ")):
            text, within, below = exponent_words(read["slopes"], method, count, "rings and tori", name)
            parts.append(f"{count.replace('_', ' ')} ∝ {letter} to the power {text}")
            held, slower = held + within, slower + (below and not within)
    only_a_bound = slower and held + slower == len(parts)
    return [words, "a bound that is not reached" if only_a_bound else verdict(held, len(parts)), f"{of_method} until certified, measured (Table 1): {'; '.join(parts)}", ""]


def theorem_claim():
    read = study("theorem")
    if not read:
        return ["Theorem 1", "not made yet", "", ""]
    bounds = [bound for run in read["runs"] if run["method"] == "DOC²S, exact R" for bound in run["bounds"]]
    mean = sum(bounds) / len(bounds)
    return ["Theorem 1: E‖∇f(w_i)‖_δ ≤ ε for all i", AGREE if mean <= read["epsilon"] else NOT,
            f"mean certified bound over clients and seeds {mean:.4f}, ε = {read['epsilon']}", ""]


def claims_table():
    rows = [against_axis("samples", "the client sampling strategy makes the sample complexity … significantly superior",
                         picture("first-mnist-sorted-wide", "samples", "loss_mean_point", "loss against samples")),
            against_axis("computation_rounds", "performs better than baselines with respect to … computation rounds", ""),
            against_axis("communication_rounds", "performs better than baselines with respect to … communication rounds",
                         picture("first-mnist-iid-wide", "communication_rounds", "loss_mean_point", "loss against communication rounds")),
            gap_claim(), *consensus_claims(), step_size_claim(),
            table_one_claim("DOC²S, exact R", "Table 1, DOC²S: samples O(1), communication Õ(γ^−½)", "DOC²S with the exact R"),
            table_one_claim("ME-DOL", "Table 1, ME-DOL: samples O(n²γ⁻²), communication O(nγ⁻²)", "ME-DOL"),
            theorem_claim()]
    return table(["the paper", "", "measured", ""], rows)


def differing(task="mnist", order="first"):
    return study(f"ablation-differ-{task}-{order}")


def readme_text():
    """The caption of the README's picture, with its numbers and the price."""
    read = differing()
    if not read:
        return ["Not made yet."]
    mean = {one.line: one for one in figures(read, "samples", "loss_mean_point")}
    worst = {one.line: one for one in figures(read, "samples", "loss_worst")}
    budget = next(view["budget"] for view in read["views"] if view["axis"] == "samples")
    two, eight, me_dol = "DOC²S, R = 2", "DOC²S, R = 8", "ME-DOL"
    rounds = {line: one.shown["counts"]["communication_rounds"] for line, one in mean.items()}
    at_equal = {one.line: one for one in figures(read, "communication_rounds", "loss_mean_point")}
    return [f"*MNIST sorted by label over 16 clients on a ring, an MLP with 64 hidden units, after {count(budget)} samples (mean and range of three "
            f"seeds): loss {mean[eight]} for DOC²S with R = 8 rounds of gossip, {mean[two]} with the paper's R = 2, {mean[me_dol]} for ME-DOL; "
            f"of the worst client {worst[eight]}, {worst[two]}, {worst[me_dol]}. The price is communication: {count(rounds[eight])} rounds "
            f"(R = 8) or {count(rounds[two])} (R = 2) where ME-DOL takes {count(rounds[me_dol])}, and at equal rounds "
            f"{leader_words(at_equal)} ([all results](docs/results.md)).*"]


def leader_words(lines):
    order = sorted(lines.values(), key=lambda one: one.mean)
    others = " and ".join(f"{one.line} {number(one.mean)}" for one in order[1:])
    return f"{order[0].line} is first with {number(order[0].mean)} against {others}"
