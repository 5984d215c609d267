// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numeric>

#include "bench.hpp"
#include "catalogue/catalogue.hpp"
#include "competitors.hpp"
#include "gossip/competitors.hpp"
#include "turns.hpp"
#include "whole_run.hpp"

namespace doc2s::bench {

namespace {

constexpr int n = 16;
constexpr Index batch = 16, pixels = 784, hidden = 256, classes = 10;
constexpr Tick K = 10;

constexpr int shares_of_copy = 64;  // rows, enough for all threads

bool pictures_are_here() { return !find_set(*data_set_named("fashion-mnist")).files.empty(); }

Config config_of(const std::string& precision, Tick T) {
  std::vector<std::pair<std::string, std::string>> values{{"precision", precision},
                                                          {"problem.name", "mlp"},
                                                          {"problem.batch", std::to_string(batch)},
                                                          {"problem.hidden", std::to_string(hidden)},
                                                          {"clients.count", std::to_string(n)},
                                                          {"method.name", "doc2s"},
                                                          {"method.K", std::to_string(K)},
                                                          {"method.T", std::to_string(T)}};
  if (pictures_are_here())
    values.emplace_back("problem.data", "fashion-mnist");
  else
    values.insert(values.end(), {{"problem.data", "synthetic"},
                                 {"problem.size", "10000"},
                                 {"problem.dimension", std::to_string(pixels)},
                                 {"problem.classes", std::to_string(classes)}});
  return config_with(values);
}

// Numbers an iteration must read or write, in vectors of length d: y of all clients read and written, the
// output sums of the clients that may be chosen in this epoch, then w, z, g, v and the sum for the mean.
double vectors_touched() {
  double sums = 0;
  for (Tick k = 1; k <= K; ++k) sums += static_cast<double>(n) / static_cast<double>(k * K);
  return 2 * n + 2 * sums + 2 * 5;
}

// Both precisions use the same draws, so their trajectories agree up to rounding.
void check_precisions() {
  Processes alone;
  Experiment<float> single(config_of("float32", 1), alone);
  Experiment<double> twice(config_of("float64", 1), alone);
  run_whole(single), run_whole(twice);
  require_agreement("the MLP in float32", relative_error(iterate_of(single), iterate_of(twice)), 1e-5);
}

const char* const names[] = {"an iteration of DOC2S", "copy of what it must touch",
                             "gradient of a batch",   "its matrix products",
                             "value of a batch",      "its matrix products, forward"};

class Contest {
 public:
  explicit Contest(const Config& config)
      : experiment_(config, alone_),
        gemms_(batch, pixels, hidden, classes),
        from_({0, shares_of_copy}, copied() / shares_of_copy),
        to_({0, shares_of_copy}, copied() / shares_of_copy) {
    gemms_.run();
    require_agreement("Eigen's products", gemms_.error(), 1e-4);
  }

  // Seconds, in the order of `names`.
  std::vector<double> times(const Patience& patience) {
    std::vector<Index> samples(batch);
    std::iota(samples.begin(), samples.end(), Index{0});
    std::vector<float> gradient(experiment_.x0.size());
    const auto value = [&](std::span<float> g) {
      return experiment_.problem().value(0, samples, experiment_.x0, g);
    };
    const double as_long =
        timed_run(experiment_)();  // a short run would hit quiet moments that a real run does not
    const auto often = [&](std::function<void()> work) { return clocked_often(std::move(work), as_long); };
    auto times =
        best_of_turns({timed_run(experiment_), often([&] { copy_rows(from_, to_, experiment_.threads); }),
                       often([&] { value(gradient); }), often([&] { gemms_.run(); }),
                       often([&] { value({}); }), often([&] { gemms_.run_forward(); })},
                      patience);
    times[0] /= static_cast<double>(experiment_.algorithm->length());
    return times;
  }

 private:
  Index copied() const { return static_cast<Index>(vectors_touched() / 2 * experiment_.world.d()); }

  Processes alone_;
  Experiment<float> experiment_;
  Gemms gemms_;
  Rows<float> from_, to_;
};

Findings run(const Setting& setting) {
  Findings out;
  if (!pictures_are_here())
    out.notes.push_back("Fashion-MNIST is not installed: made-up pictures of the same shape stand in");
  check_precisions();
  const auto times = Contest(config_of("float32", setting.quick ? 2 : 30)).times(setting.patience(12));
  out.table.push_back({"MLP 784-256-10, n=16, batch 16, float32", "time"});
  for (std::size_t k = 0; k < times.size(); ++k) {
    out.add_time(names[k], times[k]);
    out.table.push_back({names[k], fmt::format("{:.3f} ms", 1e3 * times[k])});
  }
  out.ratios = {
      {"an iteration over (copy + products)", times[0] / (times[1] + times[3]), Ratio::Wanted::at_most, 1.5},
      {"gradient of a batch over its products", times[2] / times[3]},
      {"value of a batch over its products", times[4] / times[5]}};
  return out;
}

}  // namespace

Task mlp_task() {
  return {"mlp", "an iteration on Fashion-MNIST against a copy and its matrix products", run};
}

}  // namespace doc2s::bench
