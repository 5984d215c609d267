// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <set>

#include "bench.hpp"
#include "doc2s/oracles/oracle.hpp"
#include "problems/mlp.hpp"
#include "problems/plain_pass.hpp"
#include "turns.hpp"
#include "whole_run.hpp"

namespace doc2s::bench {

namespace {

constexpr Index side = 32, channels = 3, images = 256;
constexpr double mu = 1e-3;
const char* const names[] = {"estimate", "value and gradient", "libtorch alone"};

struct Shape {
  double width;
  Index batch;
  int threads;

  std::string name() const {
    return fmt::format("width {:g}, batch {}, {} thread{}", width, batch, threads, threads == 1 ? "" : "s");
  }
};

std::vector<Shape> shapes(bool quick) {
  std::vector<Shape> all;
  for (const double width : {1.0, 0.25})
    for (const int threads : std::set{1, usable_cores()})
      all.push_back({quick ? width / 2 : width, quick ? 4 : 16, threads});
  return all;
}

// Made-up images, all of client 0.
HeldInputs pictures() {
  Images train, test;
  make_blobs({images, channels * side * side, 10, 0.3}, 1, train, test);
  train.channels = channels;
  train.height = train.width = side;
  Shares shares(1);
  for (Index row = 0; row < train.count(); ++row) shares[0].push_back(row);
  return hold(std::move(train), std::move(shares), {0, 1}, true);
}

double gradient_error(std::span<const float> a, const std::vector<float>& b) {
  return relative_error({a.begin(), a.end()}, {b.begin(), b.end()});
}

class Contest {
 public:
  explicit Contest(const Shape& shape)
      : pictures_(pictures()),
        setting_{.where = "bench torch", .width = shape.width, .threads = shape.threads},
        threads_(shape.threads),
        problem_(make_torch_problem<float>(pictures_, {}, setting_)),
        oracle_(make_first_order<float>(*problem_, {shape.batch, mu, 1, &threads_})),
        batch_(shape.batch),
        x_(problem_->dimension()),
        g_(x_.size()) {
    std::iota(batch_.begin(), batch_.end(), Index{0});
    problem_->start(1, x_);
    plain_ = make_plain_pass(pictures_, batch_, x_, setting_);
  }

  void check() {
    const double ours = problem_->value(0, batch_, x_, g_), plain = plain_->run();
    require_agreement("libtorch's loss", std::abs(ours - plain) / ours, 1e-5);
    require_agreement("libtorch's gradient", gradient_error(g_, plain_->gradient()), 1e-4);
    oracle_->observer = [this](const Estimate<float>& made) { check(made); };
    estimate();
    oracle_->observer = nullptr;
  }

  // Seconds, in the order of `names`.
  std::vector<double> times(const Patience& patience) {
    return best_of_turns({clocked([&] { estimate(); }), clocked([&] { problem_->value(0, batch_, x_, g_); }),
                          clocked([&] { plain_->run(); })},
                         patience);
  }

 private:
  // A direction and a batch of its own each time.
  void estimate() { oracle_->estimate(0, tick_++, x_, g_); }

  void check(const Estimate<float>& made) const {
    std::vector<float> point(x_);
    for (std::size_t j = 0; j < point.size(); ++j) point[j] += static_cast<float>(mu) * made.z[j];
    const auto plain = make_plain_pass(pictures_, made.batch, point, setting_);
    plain->run();
    require_agreement("libtorch's estimate", gradient_error(made.g, plain->gradient()), 1e-4);
  }

  const HeldInputs pictures_;
  const TorchSetting setting_;
  Threads threads_;
  std::unique_ptr<Problem<float>> problem_;
  std::unique_ptr<Oracle<float>> oracle_;
  std::vector<Index> batch_;
  std::vector<float> x_, g_;
  std::unique_ptr<PlainPass> plain_;
  Tick tick_ = 0;
};

void report(const Shape& shape, const std::vector<double>& times, Findings& out) {
  for (std::size_t k = 0; k < times.size(); ++k) {
    out.add_time(shape.name() + ": " + names[k], times[k]);
    out.table.push_back({shape.name(), names[k], fmt::format("{:.2f} ms", 1e3 * times[k])});
  }
  out.ratios.push_back(
      {shape.name() + ": estimate over libtorch alone", times[0] / times[2], Ratio::Wanted::at_most, 1.15});
  out.ratios.push_back({shape.name() + ": value and gradient over libtorch alone", times[1] / times[2]});
}

// Why nothing can be measured; "" if libtorch is here.
std::string obstacle() {
  if (!has_torch()) return "libtorch is not here (`./doc2s bench torch` installs and builds it)";
  try {
    require_torch("");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

Findings run(const Setting& setting) {
  Findings out;
  if (const std::string why = obstacle(); !why.empty()) {
    out.notes.push_back("skipped: " + why);
    return out;
  }
  out.table.push_back({"ResNet-18, float32", "", "time"});
  for (const Shape& shape : shapes(setting.quick)) {
    Contest contest(shape);
    contest.check();
    report(shape, contest.times(setting.patience(10, setting.quick ? 1 : 3)), out);
  }
  return out;
}

}  // namespace

Task torch_task() {
  return {"torch", "an estimate of ResNet-18 against the same pass by libtorch alone", run};
}

}  // namespace doc2s::bench
