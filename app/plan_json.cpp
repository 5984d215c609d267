// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/json.hpp"
#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "plan_figures.hpp"
#include "theory/complexity.hpp"
#include "theory/me_dol_rounds.hpp"

namespace doc2s::app {

double PlanFigures::contraction(double R) const {
  if (!is_quick(network, R)) return std::numeric_limits<double>::quiet_NaN();
  return network.spectrum.contraction_bound(
      network.rounds(config.method.text("gossip"), static_cast<int>(R)));
}

namespace {

double batch_of(const PlanFigures& f) { return static_cast<double>(f.config.problem.integer("batch")); }

double bytes_a_round(const PlanFigures& f) {
  return round_bytes(f.network, static_cast<double>(f.dimension),
                     f.config.general.text("precision") == "float32" ? 4 : 8);
}

}  // namespace

PlanCosts PlanFigures::costs(double R) const {
  return costs_of(theory.plan, R, batch_of(*this), bytes_a_round(*this));
}

PlanCosts PlanFigures::travelling() const {
  return travelling_costs(theory.plan, network, config, dimension);
}

double PlanFigures::rho() const {
  return std::max(std::abs(network.spectrum.lambda2()), std::abs(network.spectrum.lambda_min()));
}

std::optional<PlanCosts> PlanFigures::me_dol() const {
  if (theory.request.zeroth) return {};
  const double N = me_dol_rounds(theory.request, rho());
  return PlanCosts{network.clients() * N * batch_of(*this), N, 2 * N, 2 * N * bytes_a_round(*this)};
}

namespace {

PlanByConstants with_fewest_rounds(const Plan& plan, const PlanFigures& f, const std::string& gossip) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto R = exact_rounds(plan, f.network, gossip);
  return {plan, R, costs_of(plan, R ? *R : unknown, batch_of(f), bytes_a_round(f))};
}

// For the ε of the plan at hand, where that is by a budget.
std::optional<Plan> plan_for(PlanRequest request, bool tight, bool gossips) {
  if (tight != request.tight || gossips != request.gossips) request.budget.reset();
  request.tight = tight;
  request.gossips = gossips;
  try {
    return make_plan(request);
  } catch (const Error&) {  // ε is too large for the paper's proof
    return {};
  }
}

}  // namespace

std::optional<PlanByConstants> PlanFigures::by_constants(bool tight) const {
  const auto plan = plan_for(theory.request, tight, theory.request.gossips);
  if (!plan) return {};
  if (travels()) return PlanByConstants{*plan, 0, travelling_costs(*plan, network, config, dimension)};
  return with_fewest_rounds(*plan, *this, config.method.text("gossip"));
}

std::optional<PlanByConstants> PlanFigures::by_gossip() const {
  const auto plan = plan_for(theory.request, theory.request.tight, true);
  if (!plan) return {};
  return with_fewest_rounds(*plan, *this, "chebyshev");
}

std::vector<Complexity> PlanFigures::orders() const {
  const PlanRequest& request = theory.request;
  return complexities({request.delta, request.epsilon, request.clients, request.dimension,
                       network.spectrum.gamma(), request.zeroth});
}

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Whole numbers are written as such; those beyond 2⁵³ as they are in double.
std::string count(double number) {
  return std::abs(number) < 0x1p53 ? std::to_string(static_cast<Index>(number)) : json(number);
}

std::string constant(const Constant& known) {
  return JsonObject().add("value", known.value).add("source", known.source).line();
}

std::string baselines(const PlanFigures& f) {
  std::vector<std::string> rows;
  for (const Complexity& row : f.orders())
    rows.push_back(JsonObject()
                       .add("method", row.method)
                       .add("order", row.order)
                       .add("samples", row.samples)
                       .add("computation_rounds", row.computation_rounds)
                       .add("communication_rounds", row.communication_rounds)
                       .add("note", row.note)
                       .line());
  return "[" + joined(rows) + "]";
}

std::string me_dol_json(const PlanFigures& f) {
  const auto costs = f.me_dol();
  if (!costs) return "null";
  return JsonObject()
      .add("rho", f.rho())
      .add("samples", costs->samples)
      .add("computation_rounds", costs->computation_rounds)
      .add("communication_rounds", costs->communication_rounds)
      .add("bytes", costs->bytes)
      .line();
}

// What DOC²S would spend with the exact R, beside a method that travels.
std::string doc2s_json(const PlanFigures& f) {
  const auto doc2s = f.by_gossip();
  if (!doc2s || !doc2s->R) return "null";
  return JsonObject()
      .add_raw("R_exact", count(*doc2s->R))
      .add_raw("communication_rounds", count(doc2s->costs.communication_rounds))
      .add_raw("bytes", count(doc2s->costs.bytes))
      .line();
}

std::string constants_json(const std::optional<PlanByConstants>& by) {
  if (!by) return "null";
  return JsonObject()
      .add_raw("K", count(by->plan.K))
      .add_raw("T", count(by->plan.T))
      .add("D", by->plan.D)
      .add("eta", by->plan.eta)
      .add_raw("R", by->R ? count(*by->R) : "null")
      .add_raw("samples", count(by->costs.samples))
      .add_raw("computation_rounds", count(by->costs.computation_rounds))
      .add_raw("communication_rounds", count(by->costs.communication_rounds))
      .add_raw("bytes", count(by->costs.bytes))
      .line();
}

void add_exact(JsonObject& object, const PlanFigures& f) {
  const auto& R = f.theory.exact_R;
  const PlanCosts costs = R ? f.costs(*R) : PlanCosts{unknown, unknown, unknown, unknown};
  object.add_raw("R_exact", R ? std::to_string(*R) : "null")
      .add("contraction_exact", R ? f.contraction(*R) : unknown)
      .add_raw("communication_rounds_exact", count(costs.communication_rounds))
      .add_raw("bytes_exact", count(costs.bytes))
      .add("seconds_estimate_exact", f.seconds_exact);
}

}  // namespace

std::string plan_json(const PlanFigures& f) {
  const PlanRequest& request = f.theory.request;
  const Plan& plan = f.theory.plan;
  // plain gossip has no formula of its own; the exact R stands in
  const double exact = f.theory.exact_R ? *f.theory.exact_R : unknown;
  const double R = f.travels() ? 0 : f.theorem_R().value_or(exact);
  const PlanCosts costs = f.travels() ? f.travelling() : f.costs(R);
  JsonObject object;
  object.add("method", f.config.method.text("name"));
  object.add("order", request.zeroth ? "zeroth" : "first")
      .add("delta", request.delta)
      .add("epsilon", plan.epsilon)
      .add("constants", request.tight ? "tight" : "paper")
      .add_raw("lipschitz", constant(f.theory.constants.lipschitz))
      .add_raw("gradient_bound", constant(f.theory.constants.gradient_bound))
      .add_raw("gap", constant(*f.theory.constants.gap))
      .add("c0", request.c0)
      .add("smooth", request.smooth ? request.smooth->H : unknown)
      .add("sigma", request.smooth ? request.smooth->sigma : unknown)
      .add("clients", f.network.clients())
      .add("dimension", f.dimension)
      .add("batch", f.config.problem.integer("batch"))
      .add_raw("gossip", f.travels() ? "null" : json(f.config.method.text("gossip")))
      .add("gamma", f.network.spectrum.gamma())
      .add("lambda_min", f.network.spectrum.lambda_min())
      .add_raw("K", count(plan.K))
      .add_raw("T", count(plan.T))
      .add("D", plan.D)
      .add("eta", plan.eta)
      .add("epsilon_prime", f.travels() ? unknown : plan.epsilon_prime)
      .add_raw("R", count(R))
      .add("delta_prime", plan.delta_prime)
      .add_raw("samples", count(costs.samples))
      .add_raw("computation_rounds", count(costs.computation_rounds))
      .add_raw("communication_rounds", count(costs.communication_rounds))
      .add_raw("bytes", count(costs.bytes))
      .add("contraction_needed", f.travels() ? unknown : plan.contraction)
      .add("contraction", f.travels() ? unknown : f.contraction(R))
      .add("seconds_estimate", f.theorem_R() || f.travels() ? f.seconds : f.seconds_exact);
  add_exact(object, f);
  if (f.travels()) object.add_raw("doc2s", doc2s_json(f));
  const auto both = JsonObject()
                        .add_raw("paper", constants_json(f.by_constants(false)))
                        .add_raw("tight", constants_json(f.by_constants(true)));
  object.add_raw("by_constants", both.line());
  object.add_raw("me_dol", me_dol_json(f)).add_raw("orders", baselines(f));
  if (const auto unmet = caveat(request, plan); !unmet.empty()) object.add("caveat", unmet);
  return object.lines();
}

}  // namespace doc2s::app
