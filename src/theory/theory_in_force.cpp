// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "doc2s/base/error.hpp"
#include "theory_parameters.hpp"

namespace doc2s {

namespace {

constexpr double most_epochs = 1e9, most_rounds = 1e6, most_iterations = 0x1p40, comfortable = 1e8;

double chosen_rounds(const TheoryParameters& theory, const Settings& method) {
  if (method.text("rounds_rule") == "exact") {
    if (theory.exact_R) return *theory.exact_R;
    throw Error("no number of rounds is known whose exact contraction the proof accepts",
                method.where("rounds_rule"), "take rounds_rule = \"theorem\", lazy weights or more edges");
  }
  if (method.text("gossip") == "plain")
    throw Error("the theorem's R is for Chebyshev's gossip, not for plain gossip", method.where("gossip"),
                "take rounds_rule = \"exact\"");
  return theory.theorem_R;
}

void refuse_large(const TheoryParameters& theory, double R, const Settings& method, double batch) {
  const Plan& plan = theory.plan;
  if (plan.K > most_epochs || plan.T > most_epochs || plan.iterations() > most_iterations)
    throw Error("too large to be run: " + readable_size(theory.request, plan, batch, comfortable),
                method.where("epsilon"), "take a larger epsilon or delta");
  if (R > most_rounds)
    throw Error(fmt::format("this plan needs {} rounds of gossip at a time", readable(R)),
                method.where("epsilon"),
                "the network mixes too slowly: add edges, or take rounds_rule = \"exact\"");
}

using Values = std::vector<std::pair<std::string, Value>>;

Values values_of(const TheoryParameters& theory, const Settings& method, Index batch) {
  const double R = method.has("R") ? chosen_rounds(theory, method) : 0;
  refuse_large(theory, R, method, static_cast<double>(batch));
  const Plan& plan = theory.plan;
  const auto whole = [](double number) { return Value(static_cast<std::int64_t>(number)); };
  Values values = {{"K", whole(plan.K)},
                   {"T", whole(plan.T)},
                   {"D", plan.D},
                   {"eta", plan.eta},
                   {"delta_prime", plan.delta_prime}};
  if (method.has("R")) values.emplace_back("R", whole(R));
  return values;
}

// The theorem takes η from G; an adaptive step measures G and scales eta itself.
void refuse_adaptive(const Settings& method) {
  if (method.has("step") && method.text("step") == "adaptive")
    throw Error("an adaptive step takes no eta from the theory", method.where("step"),
                "take step = \"fixed\", or parameters = \"given\"");
}

// What the theorem holds for where state travels: the centralised conversion with i.i.d. clients.
void note_unproved_journey(const Settings& method, std::vector<std::string>& notices) {
  if (!method.has("route")) return;
  if (method.integer("travellers") == 1 && method.integer("stay") == 1 && method.text("route") == "uniform")
    return;
  notices.push_back(
      "the theorem holds for travellers = 1, stay = 1 and route = \"uniform\"; for this journey it is not "
      "claimed");
}

void refuse_contradiction(const Settings& method, const std::string& name, const Value& planned) {
  if (method.given(name) && method.value(name) != planned)
    throw Error(fmt::format("{} = {} is given, but the theory says {}", name, to_toml(method.value(name)),
                            to_toml(planned)),
                method.where(name), "leave it out, or take method.parameters = \"given\"");
}

std::string constant_text(const char* name, const Constant& constant) {
  return fmt::format("{} = {:.4g} ({})", name, constant.value, constant.source);
}

std::string notice_text(const TheoryParameters& theory, const Settings& method) {
  const ProblemConstants& constants = theory.constants;
  std::string from = constant_text("L", constants.lipschitz);
  if (!theory.request.zeroth) from += ", " + constant_text("G", constants.gradient_bound);
  from += ", " + constant_text("gap", *constants.gap);
  if (const auto& smooth = theory.request.smooth)
    from += fmt::format(", H = {:.4g} and sigma = {:.4g} (given)", smooth->H, smooth->sigma);
  const std::string rounds = method.has("R") ? fmt::format(", R = {}", method.integer("R")) : "";
  std::string aim = theory.request.tight ? " with tight constants" : "";
  if (theory.request.budget) aim += fmt::format(", the budget allows epsilon = {:.4g}", theory.plan.epsilon);
  return fmt::format("parameters from the theory{}: K = {}, T = {}{}, D = {:.4g}, eta = {:.4g}, by {}", aim,
                     method.integer("K"), method.integer("T"), rounds, method.real("D"), method.real("eta"),
                     from);
}

// Asking for L takes a pass over a client's samples.
constexpr Index most_asked = 1'000'000;

// The config with a notice where nothing is set that the theorem decides, and the problem knows its
// constants.
template <class Real>
Config with_offer(Config config, const Problem<Real>& problem, ClientRange here) {
  for (const char* name : {"K", "T", "D", "eta"})
    if (config.method.given(name)) return config;
  const int client = here.first;
  if (problem.samples(client) <= most_asked && problem.lower_bound(client) && problem.lipschitz(client))
    config.notices.emplace_back(
        "K, T, D and eta are defaults; this problem knows the theorem's constants, so `doc2s guarantee "
        "CONFIG --delta 1 --epsilon 0.2` can plan them, run the plan and certify what it reaches");
  return config;
}

// The theorem assumes that P has no negative eigenvalue; where it has, the exact ρ_R decides.
void note_weak_rounds(const TheoryParameters& theory, const Settings& method, const Network& network,
                      std::vector<std::string>& notices) {
  if (!method.has("R")) return;
  const Rounds rounds = network.rounds(method.text("gossip"), static_cast<int>(method.integer("R")));
  if (!is_quick(network, rounds.count)) return;
  const double rho = network.spectrum.contraction_bound(rounds);
  if (rho > theory.plan.contraction)
    notices.push_back(
        fmt::format("R = {} has contraction {:.3g}, but the proof needs {:.3g}: P has the "
                    "eigenvalue {:.3g}, which the theorem excludes; use rounds_rule = \"exact\"",
                    rounds.count, rho, theory.plan.contraction, network.spectrum.lambda_min()));
}

}  // namespace

Config planned(Config config, const TheoryParameters& theory) {
  Settings& method = config.method;
  const auto keep_place = [&](const std::string& name, Value value) {
    if (!method.given(name)) method.set(name, std::move(value));
  };
  for (const auto& [name, value] : values_of(theory, method, config.problem.integer("batch")))
    method.set(name, value);
  keep_place("lipschitz", theory.request.lipschitz);
  if (!theory.request.zeroth) keep_place("gradient_bound", theory.request.gradient_bound);
  keep_place("gap", theory.request.gap);
  return config;
}

template <class Real>
Config with_theory(Config config, const Network& network, const Problem<Real>& problem, ClientRange here,
                   Processes& processes, Threads& threads) {
  const Settings& method = config.method;
  if (!method.has("parameters")) return config;
  if (method.text("parameters") != "theory") return with_offer(std::move(config), problem, here);
  refuse_adaptive(method);
  const TheoryParameters theory = theory_parameters(
      config, constants_of(config, problem, here, processes, threads), network, problem.dimension());
  bool decided = false;
  for (const auto& [name, value] : values_of(theory, method, config.problem.integer("batch"))) {
    refuse_contradiction(method, name, value);
    decided = decided || method.value(name) != value;
  }
  config = planned(std::move(config), theory);
  if (decided) config.notices.push_back(notice_text(theory, method));
  note_weak_rounds(theory, method, network, config.notices);
  note_unproved_journey(method, config.notices);
  if (auto unmet = caveat(theory.request, theory.plan); !unmet.empty())
    config.notices.push_back(std::move(unmet));
  if (sizeof(Real) == 4 && theory.plan.D < 1e-5)
    config.notices.push_back("float32 may lose steps as short as these; take precision = \"float64\"");
  return config;
}

template Config with_theory(Config, const Network&, const Problem<float>&, ClientRange, Processes&, Threads&);
template Config with_theory(Config, const Network&, const Problem<double>&, ClientRange, Processes&,
                            Threads&);

}  // namespace doc2s
