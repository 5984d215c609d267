// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "numbers.hpp"
#include "plan_figures.hpp"
#include "table.hpp"
#include "theory/complexity.hpp"

namespace doc2s::app {

namespace {

constexpr double large = 1e9;        // iterations that deserve a word
constexpr double comfortable = 1e8;  // iterations that a larger ε is proposed for

std::string row(const char* name, const std::string& figure, const std::string& meaning) {
  return fmt::format("{:<14} {:>12}   {}\n", name, figure, meaning);
}

std::string number(double x) { return fmt::format("{:.5g}", x); }

std::string known(const char* name, const Constant& constant) {
  return fmt::format("{} = {:.5g} ({})", name, constant.value, constant.source);
}

std::string head(const PlanFigures& f) {
  const PlanRequest& r = f.theory.request;
  const ProblemConstants& constants = f.theory.constants;
  std::string text = fmt::format(
      "{}, {} order, by the {}{}: E‖∇f(w_i)‖_δ ≤ ε at every client for δ = {}, ε = {}\n",
      f.travels() ? "doc2s-travel" : "DOC2S", r.zeroth ? "zeroth" : "first",
      r.smooth ? "lemma of the smooth case" : "theorem", r.tight ? " with tight constants" : "", r.delta,
      r.budget ? number(r.epsilon) + ", the least for this budget" : fmt::format("{}", r.epsilon));
  text += fmt::format(
      "  from {}{}, {}{}\n  n = {}, d = {}, γ = {:.4f}, c0 = {}\n\n", known("L", constants.lipschitz),
      r.zeroth ? "" : ", " + known("G", constants.gradient_bound), known("gap", *constants.gap),
      r.smooth ? fmt::format(", H = {:.5g} and σ = {:.5g} (given)", r.smooth->H, r.smooth->sigma) : "",
      f.network.clients(), f.dimension, f.network.spectrum.gamma(), r.c0);
  return text;
}

std::string exact_row(const PlanFigures& f) {
  const auto& R = f.theory.exact_R;
  if (!R) return row("R exact", "-", "no number of rounds is known that leaves so little");
  const double times = f.theorem_R().value_or(0) / *R;
  std::string meaning = "the fewest rounds whose own contraction ρ_R is that small";
  if (times >= 1) meaning += fmt::format(": {:.3g} times fewer", times);
  return row("R exact", fmt::format("{}", *R), meaning);
}

std::string meaning_of_D(const PlanRequest& r, const Plan& plan) {
  if (r.tight) return fmt::format("longest step, {:.4g}δ/(T + 1)", plan.D * (plan.T + 1) / r.delta);
  return r.smooth ? "longest step, δ/(4T)" : "longest step, δ/(8T)";
}

std::string meaning_of_delta_prime(const PlanRequest& r) {
  if (r.smooth) return "no smoothing";
  return r.tight ? "radius of the smoothing, δ/10" : "radius of the smoothing, δ/2";
}

std::string parameters(const PlanFigures& f) {
  const Plan& plan = f.theory.plan;
  const PlanRequest& request = f.theory.request;
  std::string text =
      row("K", readable(plan.K), "epochs") + row("T", readable(plan.T), "iterations per epoch") +
      row("D", number(plan.D), meaning_of_D(request, plan)) + row("eta", number(plan.eta), "step size") +
      (f.travels()
           ? ""
           : row("epsilon_prime", number(plan.epsilon_prime), "how far a client may be from the mean")) +
      row("delta_prime", number(plan.delta_prime), meaning_of_delta_prime(request));
  if (f.travels()) return text + row("R", "0", "no gossip: the state travels to the client that is drawn");
  if (const auto R = f.theorem_R())
    text += row("R", readable(*R),
                fmt::format("rounds of gossip by the theorem; they leave ρ_R = {:.3g}", f.contraction(*R)));
  text += row("needed ρ_R", fmt::format("{:.3g}", plan.contraction),
              "what the proof lets a gossip leave of a disagreement");
  return text + exact_row(f);
}

std::string duration(double seconds) {
  if (std::isnan(seconds)) return "-";
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.3g} min", seconds / 60);
  if (seconds < 172800) return fmt::format("{:.3g} h", seconds / 3600);
  if (seconds < 6.3e7) return fmt::format("{:.3g} days", seconds / 86400);
  return fmt::format("{} years", readable(seconds / 31557600));
}

std::vector<std::string> cost_row(const std::string& name, const PlanCosts& costs, double seconds) {
  return {name,
          readable(costs.samples),
          readable(costs.computation_rounds),
          readable(costs.communication_rounds),
          costs.bytes < 1e18 ? bytes_text(costs.bytes) : readable(costs.bytes) + " bytes",
          duration(seconds)};
}

// The same goal by the constants that were not chosen.
std::optional<std::vector<std::string>> other_constants(const PlanFigures& f) {
  const bool tight = !f.theory.request.tight;
  const auto by = f.by_constants(tight);
  if (!by || !by->R) return {};
  const std::string rounds = f.travels() ? "expected" : fmt::format("R exact = {}", readable(*by->R));
  return cost_row((tight ? "tight constants, " : "the paper's, ") + rounds, by->costs,
                  std::numeric_limits<double>::quiet_NaN());
}

std::string costs_text(const PlanFigures& f) {
  std::vector<std::vector<std::string>> rows = {
      {"cost", "samples", "computation rounds", "communication rounds", "gossip", "time here"}};
  if (const auto R = f.theorem_R()) rows.push_back(cost_row("with R", f.costs(*R), f.seconds));
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (f.travels()) {
    rows.push_back(cost_row("expected", f.travelling(), f.seconds));
    if (const auto doc2s = f.by_gossip(); doc2s && doc2s->R)
      rows.push_back(cost_row(fmt::format("doc2s, R exact = {}", *doc2s->R), doc2s->costs, unknown));
  }
  if (const auto& R = f.theory.exact_R)
    rows.push_back(cost_row("with R exact", f.costs(*R), f.seconds_exact));
  if (const auto other = other_constants(f)) rows.push_back(*other);
  const auto me_dol = f.me_dol();
  if (me_dol) rows.push_back(cost_row("me-dol", *me_dol, unknown));
  const std::string whence =
      me_dol ? "  (me-dol: by the constants of its own proof, which is for the mean over the clients)\n" : "";
  const std::string why = f.no_time.empty() ? "the time is an estimate from a trial of a fraction of a second"
                                            : "no estimate of the time: " + f.no_time;
  return "\n" + table_text(rows) + "  (" + why + ")\n" + whence;
}

std::string orders_text(const PlanFigures& f) {
  std::vector<std::vector<std::string>> rows = {
      {"orders only", "oracle", "samples", "computation rounds", "communication rounds"}};
  std::string notes;
  for (const Complexity& one : f.orders()) {
    rows.push_back({one.method, one.order, readable(one.samples), readable(one.computation_rounds),
                    readable(one.communication_rounds)});
    if (!one.note.empty()) notes += fmt::format("  ({}: {})\n", one.method, one.note);
  }
  return "\n" + table_text(rows) + notes +
         "  (formulas of the paper's table of complexities without their constants: compare them with\n"
         "  each other, not with the costs above)\n";
}

std::string remarks(const PlanFigures& f) {
  std::string text;
  const Plan& plan = f.theory.plan;
  const auto batch = static_cast<double>(f.config.problem.integer("batch"));
  if (plan.iterations() > large)
    text += fmt::format("\n{}\n", readable_size(f.theory.request, plan, batch, comfortable));
  const bool exact = f.theory.request.tight && !f.theorem_R();
  if (!f.travels() && !exact && f.network.spectrum.lambda_min() < -1e-12)
    text += fmt::format(
        "\nP has the eigenvalue {:.4g}, and the theorem's R assumes that it has none below 0;\n"
        "ρ_R is exact for any P.\n",
        f.network.spectrum.lambda_min());
  if (const auto unmet = caveat(f.theory.request, plan); !unmet.empty()) text += fmt::format("\n{}\n", unmet);
  return text;
}

}  // namespace

std::string plan_summary(const PlanFigures& f) {
  const PlanCosts costs =
      f.travels() ? f.travelling() : f.costs(static_cast<double>(f.config.method.integer("R")));
  return head(f) + parameters(f) +
         row("costs", readable(costs.samples),
             fmt::format("samples, {} communication rounds, {}{}", readable(costs.communication_rounds),
                         bytes_text(costs.bytes), f.travels() ? ", expected" : "")) +
         remarks(f);
}

std::string plan_text(const PlanFigures& f) {
  return head(f) + parameters(f) + costs_text(f) + orders_text(f) + remarks(f);
}

}  // namespace doc2s::app
