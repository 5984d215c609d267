// SPDX-License-Identifier: Apache-2.0
#include "theory_parameters.hpp"

#include <fmt/format.h>

#include "doc2s/base/error.hpp"
#include "network/route.hpp"

namespace doc2s {

namespace {

double needed(const Settings& method, const std::string& name) {
  if (!method.has(name))
    throw Error(fmt::format("{} is missing", name), "method",
                fmt::format("the theory needs method.{}, a number", name));
  return method.real(name);
}

std::optional<Constant> given(const Settings& method, const std::string& name) {
  if (!method.has(name)) return {};
  return Constant{method.real(name), "given"};
}

bool is_zeroth(const Settings& method) { return method.text("order") == "zeroth"; }

// Iterations that run.budget.samples pay for, where they take the place of epsilon.
std::optional<double> given_budget(const Config& config) {
  const Settings& method = config.method;
  if (method.has("epsilon")) return {};
  if (!config.run.has("budget.samples"))
    throw Error("epsilon is missing", "method",
                "the theory needs method.epsilon, a number, or a budget in its place: run.budget.samples");
  if (method.text("constants") != "tight")
    throw Error("a plan by budget is by the tight constants", method.where("constants"),
                "leave constants out, or give method.epsilon");
  const Index batch = config.problem.integer("batch"), samples = config.run.integer("budget.samples");
  if (samples < batch)
    throw Error(fmt::format("{} samples are less than a batch of {}", samples, batch),
                config.run.where("budget.samples"), "take a larger budget");
  const Index iterations = samples / batch;
  return static_cast<double>(iterations);
}

std::optional<Smoothness> given_smoothness(const Settings& method) {
  if (!method.has("smooth") && !method.has("sigma")) return {};
  for (const auto& [there, missing] : {std::pair("smooth", "sigma"), {"sigma", "smooth"}})
    if (!method.has(missing))
      throw Error(fmt::format("{} is missing", missing), method.where(there),
                  "the smooth case needs both smooth (H) and sigma");
  if (is_zeroth(method))
    throw Error("the smooth case is for order first, not zeroth", method.where("smooth"),
                "leave smooth and sigma out, or take order first");
  return Smoothness{method.real("smooth"), method.real("sigma")};
}

}  // namespace

std::optional<ProblemConstants> given_constants(const Settings& method) {
  const auto lipschitz = given(method, "lipschitz"), gap = given(method, "gap");
  auto gradient = given(method, "gradient_bound");
  if (!gradient && is_zeroth(method)) gradient = Constant{0, "not needed"};
  if (!lipschitz || !gap || !gradient) return {};
  return ProblemConstants{*lipschitz, *gradient, gap};
}

template <class Real>
ProblemConstants constants_of(const Config& config, const Problem<Real>& problem, ClientRange here,
                              Processes& processes, Threads& threads) {
  const Settings& method = config.method;
  if (const auto all = given_constants(method)) return *all;
  const bool slopes = !method.has("lipschitz") || (!method.has("gradient_bound") && !is_zeroth(method));
  const auto kind =
      method.text("constants") == "tight" ? LipschitzBound::mean_square : LipschitzBound::largest;
  ProblemConstants found =
      combined(client_constants(problem, here, needed(method, "delta"), config.seed(), threads, slopes, kind),
               processes);
  if (const auto lipschitz = given(method, "lipschitz")) found.lipschitz = *lipschitz;
  if (const auto gradient = given(method, "gradient_bound")) found.gradient_bound = *gradient;
  if (const auto gap = given(method, "gap")) found.gap = gap;
  return found;
}

TheoryParameters theory_parameters(const Config& config, const ProblemConstants& constants,
                                   const Network& network, Index dimension) {
  const Settings& method = config.method;
  if (!constants.gap)
    throw Error("this problem does not say how low its loss can fall", "method.gap",
                "give gap = 1.0, or whatever bounds f(x0) - inf f, or the problem a lower_bound(client)");
  const auto budget = given_budget(config);
  PlanRequest request{.delta = needed(method, "delta"),
                      .epsilon = budget ? 0 : method.real("epsilon"),
                      .lipschitz = constants.lipschitz.value,
                      .gradient_bound = constants.gradient_bound.value,
                      .gap = constants.gap->value,
                      .clients = static_cast<double>(network.clients()),
                      .dimension = static_cast<double>(dimension),
                      .zeroth = is_zeroth(method),
                      .c0 = method.real("c0"),
                      .smooth = given_smoothness(method),
                      .tight = method.text("constants") == "tight",
                      .gossips = method.has("gossip"),
                      .budget = budget};
  const Plan plan = make_plan(request);
  request.epsilon = plan.epsilon;
  if (network.change && method.has("gossip"))
    throw Error("the theorem's rounds are for a network that stays, and this one changes",
                config.network.where("change"),
                "take method doc2s-travel, or choose the parameters yourself");
  if (!method.has("gossip")) return {request, constants, plan, 0, std::nullopt};
  return {request, constants, plan, theorem_rounds(plan, network.spectrum.gamma()),
          exact_rounds(plan, network, method.text("gossip"))};
}

PlanCosts travelling_costs(const Plan& plan, const Network& network, const Config& config, Index dimension) {
  const double hops = make_route(config.method.text("route"), network, 1, config.seed())->mean_hops();
  const double bytes_a_number = config.general.text("precision") == "float32" ? 4 : 8;
  const double moves = hops * plan.iterations(), vectors = 2;
  return {plan.iterations() * static_cast<double>(config.problem.integer("batch")), plan.iterations(), moves,
          moves * vectors * static_cast<double>(dimension) * bytes_a_number};
}

template ProblemConstants constants_of(const Config&, const Problem<float>&, ClientRange, Processes&,
                                       Threads&);
template ProblemConstants constants_of(const Config&, const Problem<double>&, ClientRange, Processes&,
                                       Threads&);

}  // namespace doc2s
