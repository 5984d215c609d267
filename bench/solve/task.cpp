// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench.hpp"
#include "doc2s/doc2s.hpp"
#include "problems/kinds.hpp"

namespace doc2s::bench {

namespace {

constexpr const char* experiment =
    "network = {{ graph = \"ring\" }}\nclients = {{ count = 16 }}\n"
    "method = {{ name = \"doc2s\", K = {}, T = 1000, R = 2, eta = 0.01, D = 0.01 }}\n"
    "problem = {{ {} }}\nrun = {{ record_every = {}, threads = 1 }}\n";

// The loop that a user would write with the parts of the library; returns the last epoch's mean.
std::vector<double> by_hand(const Problem<double>& problem, const Config& config) {
  const Network network = make_network(config);
  Threads threads(1);
  InProcess<double> transport(network.clients(), threads);
  Peers<double> peers(network, transport);
  const auto oracle = make_first_order<double>(
      problem, {.batch = 1, .mu = config.method.real("delta_prime"), .seed = config.seed()});
  World<double> world(peers, *oracle, problem.dimension(), config.seed());
  const auto algorithm = kind_named(method_kinds(), config.method, "name").make<double>(world, config.method);
  std::vector<double> x0(static_cast<std::size_t>(problem.dimension()));
  problem.start(config.seed(), x0);
  algorithm->start(x0);
  for (Tick tick = 0; tick < algorithm->length(); ++tick) algorithm->step(tick);
  const auto last = algorithm->output().last;
  return {last.begin(), last.end()};
}

// a9a's size: 32,561 samples of 123 features, 14 of them non-zero.
Findings run(const Setting& setting) {
  const int epochs = setting.quick ? 2 : 100;
  const std::string made = "size = 32561, dimension = 123, sparsity = 0.11";
  const Config config = parse_configs(fmt::format(experiment, epochs, made, 1), "bench").front();
  const std::string own = fmt::format(experiment, epochs, "evaluation = 256", 1'000'000);
  Processes alone;
  const auto problem = make_problem<double>(config, {0, 16}, alone).problem;
  std::vector<double> ours, theirs;
  const std::vector<double> seconds =
      best_of_turns({clocked([&] { ours = solve(*problem, Options::from_toml(own)).x; }),
                     clocked([&] { theirs = by_hand(*problem, config); })},
                    setting.patience(5));
  if (ours != theirs) throw WrongAnswer("the loop by hand came to another point than solve", "bench solve");
  Findings out;
  out.add_time("solve", seconds[0]);
  out.add_time("loop by hand", seconds[1]);
  out.table.push_back({fmt::format("{} iterations", 1000 * epochs), "time"});
  out.table.push_back({"solve", fmt::format("{:.1f} ms", 1e3 * seconds[0])});
  out.table.push_back({"loop by hand", fmt::format("{:.1f} ms", 1e3 * seconds[1])});
  out.ratios.push_back({"solve over the loop by hand", seconds[0] / seconds[1], Ratio::Wanted::at_most, 1.1});
  return out;
}

}  // namespace

Task solve_task() { return {"solve", "doc2s::solve against a loop by hand, a problem of a9a's size", run}; }

}  // namespace doc2s::bench
