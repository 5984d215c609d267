// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench.hpp"
#include "competitors.hpp"
#include "doc2s/run/configs.hpp"
#include "turns.hpp"

namespace doc2s::bench {

namespace {

constexpr int round_counts[] = {1, 2, 4, 8};

struct Shape {
  std::string graph;
  int n;
  Index d;
  bool float32;
  bool bounded;  // whether the required bounds apply

  std::string name() const {
    return fmt::format("{} n={} d={} {}", graph, n, d, float32 ? "float32" : "float64");
  }
};

std::vector<Shape> shapes(bool quick) {
  const Index part = quick ? 10 : 1;
  return {{"ring", 16, 1'000'000 / part, true, true},
          {"ring", 64, 200'000 / part, false, false},
          {"ring", quick ? 256 : 1024, 10'000 / part, false, false},
          {"torus", 64, 200'000 / part, true, false}};
}

Network network_of(const Shape& shape) {
  const Config config = default_config({{"network.graph", shape.graph, "bench"}});
  return make_network(shape.n, config.network, 1);
}

template <class Real>
class Contest {
 public:
  explicit Contest(const Shape& shape)
      : shape_(shape), network_(network_of(shape)), start_({0, shape.n}, shape.d), z_({0, shape.n}, shape.d) {
    fill_with_normals(start_);
    for (const int R : round_counts)
      ours_.push_back(std::make_unique<OurGossip<Real>>(network_, R, threads_));
  }

  void check() {
    for (std::size_t k = 0; k < ours_.size(); ++k) {
      copy_rows(start_, z_, threads_);
      ours_[k]->mix(z_);
      require_agreement(fmt::format("our gossip ({}, R={})", shape_.name(), round_counts[k]),
                        error_against_dense(network_, round_counts[k], start_, z_),
                        sizeof(Real) == 4 ? 1e-5 : 1e-13);
    }
  }

  // [0] the copy, then R = 1, 2, 4, 8.
  std::vector<double> times(const Patience& patience) {
    std::vector<Timed> competitors{clocked([&] { copy_rows(start_, z_, threads_); })};
    for (auto& gossip : ours_) competitors.push_back(clocked([&] { gossip->mix(z_); }));
    return best_of_turns(competitors, patience);
  }

 private:
  const Shape shape_;
  Threads threads_;
  Network network_;
  Rows<Real> start_, z_;
  std::vector<std::unique_ptr<OurGossip<Real>>> ours_;
};

template <class Real>
std::vector<double> contest(const Shape& shape, const Patience& patience) {
  Contest<Real> contest(shape);
  contest.check();
  return contest.times(patience);
}

void report(const Shape& shape, const std::vector<double>& times, Findings& out) {
  const double bytes = 2.0 * shape.n * static_cast<double>(shape.d) * (shape.float32 ? 4 : 8);
  const auto add = [&](const std::string& what, double seconds) {
    out.add_time(shape.name() + " " + what, seconds);
    out.table.push_back({shape.name(), what, fmt::format("{:.2f} ms", 1e3 * seconds),
                         fmt::format("{:.1f} GB/s", 1e-9 * bytes / seconds),
                         fmt::format("{:.2f}", times[0] / seconds)});
  };
  add("copy", times[0]);
  for (std::size_t k = 0; k < std::size(round_counts); ++k)
    add(fmt::format("R={}", round_counts[k]), times[k + 1]);
  using Wanted = Ratio::Wanted;
  out.ratios.push_back({shape.name() + ": R=2, bytes per second over those of a copy", times[0] / times[2],
                        shape.bounded ? Wanted::at_least : Wanted::nothing, 0.7});
  out.ratios.push_back({shape.name() + ": time of R=8 over that of a copy", times[4] / times[0],
                        shape.bounded ? Wanted::at_most : Wanted::nothing, 3});
}

Findings run(const Setting& setting) {
  Findings out;
  out.table.push_back({"gossip", "", "time", "moved", "of a copy"});
  for (const auto& shape : shapes(setting.quick)) {
    const Patience patience = setting.patience(2, 5);
    report(shape, shape.float32 ? contest<float>(shape, patience) : contest<double>(shape, patience), out);
  }
  return out;
}

}  // namespace

Task gossip_task() { return {"gossip", "R rounds of gossip against a copy of the same block", run}; }

}  // namespace doc2s::bench
