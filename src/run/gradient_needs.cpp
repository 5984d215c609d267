// SPDX-License-Identifier: Apache-2.0
#include "gradient_needs.hpp"

#include "problems/gradient_check.hpp"
#include "problems/slope_check.hpp"

namespace doc2s {

template <class Real>
Config with_possible_order(Config config, const Problem<Real>& problem) {
  if (problem.has_gradient() || config.method.text("order") == "zeroth") return config;
  if (config.method.given("order")) refuse_without_gradient(config.method.where("order"));
  config.method.set("order", std::string("zeroth"));
  config.notices.emplace_back("the problem has no gradient, so order = \"zeroth\" is used");
  return config;
}

template <class Real>
std::string check_gradient_of(const MadeProblem<Real>& made, const Config& config, ClientRange here) {
  const Problem<Real>& problem = *made.problem;
  const Index batch = config.problem.integer("batch");
  std::vector<Real> x0(static_cast<std::size_t>(problem.dimension()));
  problem.start(config.seed(), x0);
  check_gradient<Real>(problem, here.first, batch, x0);
  if (!made.is_users || !config.problem.flag("check_gradient")) return "";
  return check_slopes<Real>(problem, here, batch, config.seed(), x0);
}

template <class Real>
Config with_checked_gradient(Config config, const MadeProblem<Real>& made, ClientRange here) {
  if (config.method.text("order") != "first") return config;
  const std::string note = check_gradient_of(made, config, here);
  if (!note.empty()) config.notices.push_back(note);
  return config;
}

template Config with_possible_order(Config, const Problem<float>&);
template Config with_possible_order(Config, const Problem<double>&);
template std::string check_gradient_of(const MadeProblem<float>&, const Config&, ClientRange);
template std::string check_gradient_of(const MadeProblem<double>&, const Config&, ClientRange);
template Config with_checked_gradient(Config, const MadeProblem<float>&, ClientRange);
template Config with_checked_gradient(Config, const MadeProblem<double>&, ClientRange);

}  // namespace doc2s
