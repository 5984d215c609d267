// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench.hpp"
#include "doc2s/oracles/oracle.hpp"
#include "doc2s/run/configs.hpp"
#include "problems/kinds.hpp"

namespace doc2s::bench {

namespace {

// One client after another, each call with the batch of the config.
template <class Real>
class Calls {
 public:
  Calls(const Problem<Real>& problem, const Config& config) : problem_(problem), x_(problem.dimension()) {
    problem.start(config.seed(), x_);
    gradient_.resize(x_.size());
    batch_.resize(config.problem.integer("batch"));
    const typename Oracle<Real>::Setting setting{config.problem.integer("batch"),
                                                 config.method.real("delta_prime"), config.seed()};
    if (problem.has_gradient()) first_ = make_first_order(problem, setting);
    zeroth_ = make_zeroth_order(problem, setting);
  }

  void value() { problem_.value(next(), batch_, x_, {}); }
  void gradient() { problem_.value(next(), batch_, x_, gradient_); }
  void first_order() { first_->estimate(next(), tick_, x_, gradient_); }
  void zeroth_order() { zeroth_->estimate(next(), tick_, x_, gradient_); }

 private:
  int next() {
    const int client = static_cast<int>(++tick_ % problem_.clients());
    for (Index& sample : batch_) sample = (sample + 1) % problem_.samples(client);
    return client;
  }

  const Problem<Real>& problem_;
  std::vector<Real> x_, gradient_;
  std::vector<Index> batch_;
  std::unique_ptr<Oracle<Real>> first_, zeroth_;
  Tick tick_ = 0;
};

template <class Real>
Findings measured(const Config& config, const Setting& setting) {
  Processes alone;
  const auto made = make_problem<Real>(config, {0, static_cast<int>(config.clients.integer("count"))}, alone);
  Calls<Real> calls(*made.problem, config);
  std::vector<std::pair<std::string, std::function<void()>>> kinds = {
      {"value", [&] { calls.value(); }}, {"zeroth-order estimate", [&] { calls.zeroth_order(); }}};
  if (made.problem->has_gradient()) {
    kinds.emplace_back("value and gradient", [&] { calls.gradient(); });
    kinds.emplace_back("first-order estimate", [&] { calls.first_order(); });
  }
  std::vector<Timed> timed;
  for (const auto& [name, call] : kinds) timed.push_back(best_of_tries(clocked_often(call)));
  const std::vector<double> seconds = best_of_turns(timed, setting.patience(2));
  Findings out;
  out.table.push_back({"one thread", "time", "calls a second"});
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    out.add_time(kinds[k].first, seconds[k]);
    out.table.push_back(
        {kinds[k].first, fmt::format("{:.3g} us", 1e6 * seconds[k]), fmt::format("{:.4g}", 1 / seconds[k])});
  }
  out.ratios.push_back({"zeroth-order estimate over two values", seconds[1] / (2 * seconds[0])});
  if (kinds.size() > 2) out.ratios.push_back({"value and gradient over value", seconds[2] / seconds[0]});
  return out;
}

}  // namespace

Task problem_task(const std::string& config) {
  return {config, "calls of its problem", [config](const Setting& setting) {
            const Config first = read_configs(config).front();
            return first.general.text("precision") == "float32" ? measured<float>(first, setting)
                                                                : measured<double>(first, setting);
          }};
}

}  // namespace doc2s::bench
