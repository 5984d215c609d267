// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "gossip/competitors.hpp"
#include "turns.hpp"
#include "whole_run.hpp"

namespace doc2s::bench {

namespace {

struct Size {
  int n;
  Index d;

  double numbers() const { return n * static_cast<double>(d); }
  std::string name() const { return fmt::format("n={} d={}", n, d); }
};

struct Cost {
  double gossip = INFINITY, iteration = INFINITY;  // seconds per number, n·d numbers
};

constexpr int R = 2;

// Synthetic samples with few features, so that the method's dense vectors dominate.
Config config_of(Size size) {
  return config_with(
      {{"precision", "float32"},
       {"problem.data", "synthetic"},
       {"problem.size", std::to_string(4 * size.n)},
       {"problem.dimension", std::to_string(size.d)},
       {"problem.sparsity", fmt::format("{:.9f}", std::min(1.0, 10.0 / static_cast<double>(size.d)))},
       {"clients.count", std::to_string(size.n)},
       {"method.gossip", "plain"},  // same cost, and R = 2 is accepted on rings of any length
       {"method.name", "doc2s"},
       {"method.R", std::to_string(R)},
       {"method.T", "1000000"}});
}

void check(const Network& network, Threads& threads) {
  Rows<float> start({0, network.clients()}, 1000), z({0, network.clients()}, 1000);
  fill_with_normals(start);
  copy_rows(start, z, threads);
  OurGossip<float>(network, R, threads).mix(z);
  require_agreement("our gossip", error_against_dense(network, R, start, z), 1e-5);
}

Cost cost_of(Size size, const Patience& patience) {
  Processes alone;
  Experiment<float> experiment(config_of(size), alone);
  check(experiment.network, experiment.threads);
  OurGossip<float> gossip(experiment.network, R, experiment.threads);
  Rows<float> z({0, size.n}, size.d);
  fill_with_normals(z);
  start_again(experiment);
  Tick tick = 0;
  const auto times = best_of_turns(
      {clocked_often([&] { gossip.mix(z); }), clocked_often([&] { experiment.algorithm->step(tick++); })},
      patience);
  return {times[0] / size.numbers(), times[1] / size.numbers()};
}

double bytes_needed(Size size) { return 7 * 4 * size.numbers(); }  // y, three of the output, z, scratch

bool fits(Size size) {
  const double free =
      static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return bytes_needed(size) < free;
}

double smallest_cache() {
  const long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);
  return bytes > 0 ? static_cast<double>(bytes) : 32768;
}

// Sizes are compared with each other, so they are interleaved too.
std::vector<Cost> costs_of(const std::vector<Size>& sizes, Patience patience) {
  constexpr int turns = 3;
  patience.seconds /= turns;
  std::vector<Cost> best(sizes.size());
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const Cost cost = cost_of(sizes[k], patience);
      best[k] = {std::min(best[k].gossip, cost.gossip), std::min(best[k].iteration, cost.iteration)};
    }
  return best;
}

std::vector<Size> those_that_fit(const std::vector<Size>& sizes, Findings& out) {
  std::vector<Size> fitting;
  for (const Size size : sizes)
    if (fits(size))
      fitting.push_back(size);
    else
      out.notes.push_back(fmt::format("{} needs {:.1f} GB, more than is free: skipped", size.name(),
                                      1e-9 * bytes_needed(size)));
  return fitting;
}

void compare(const std::string& against, const std::vector<Size>& all, const Patience& patience,
             Findings& out) {
  const std::vector<Size> sizes = those_that_fit(all, out);
  const std::vector<Cost> costs = costs_of(sizes, patience);
  std::vector<double> gossip, iteration;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const Size size = sizes[k];
    const Cost cost = costs[k];
    const std::string name = "against " + against + ": " + size.name();
    out.add_time(name + " gossip", cost.gossip * size.numbers());
    out.add_time(name + " iteration", cost.iteration * size.numbers());
    const bool inside = 4 * size.numbers() <= smallest_cache();
    out.table.push_back({size.name(), fmt::format("{:.3f} ns", 1e9 * cost.gossip),
                         fmt::format("{:.3f} ns", 1e9 * cost.iteration),
                         inside ? "in the smallest cache" : ""});
    if (inside) continue;
    gossip.push_back(cost.gossip), iteration.push_back(cost.iteration);
  }
  if (gossip.empty()) return;
  const auto spread = [](const std::vector<double>& costs) {
    return *std::max_element(costs.begin(), costs.end()) / *std::min_element(costs.begin(), costs.end());
  };
  out.ratios.push_back({"against " + against + ": gossip, largest over smallest cost a number",
                        spread(gossip), Ratio::Wanted::at_most, 2});
  out.ratios.push_back({"against " + against + ": iteration, largest over smallest cost a number",
                        spread(iteration), Ratio::Wanted::at_most, 2});
}

Findings run(const Setting& setting) {
  Findings out;
  out.table.push_back({"ring, R=2, float32: cost a number of n·d", "gossip", "an iteration of DOC2S", ""});
  const Patience patience = setting.patience(3);
  std::vector<Size> clients, dimensions;
  for (int n = 16; n <= (setting.quick ? 256 : 4096); n *= 4) clients.push_back({n, 1000});
  for (Index d = 100; d <= (setting.quick ? 100'000 : 10'000'000); d *= 10) dimensions.push_back({16, d});
  compare("n", clients, patience, out);
  compare("d", dimensions, patience, out);
  return out;
}

}  // namespace

Task scaling_task() { return {"scaling", "cost against the number of clients and the dimension", run}; }

}  // namespace doc2s::bench
