// SPDX-License-Identifier: Apache-2.0
#include "loads.hpp"

#include <fmt/format.h>

#include "../gossip/competitors.hpp"
#include "../whole_run.hpp"
#include "base/vectors.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s::bench {

namespace {

constexpr int n = 16;
constexpr Index d = 10'000;

template <class Real>
std::string name_of(const std::string& what) {
  return fmt::format("{}, {}", what, sizeof(Real) == 4 ? "float32" : "float64");
}

template <class Real>
std::vector<double> doubles(std::span<const Real> numbers) {
  return {numbers.begin(), numbers.end()};
}

template <class Real>
struct Mixing {
  explicit Mixing(const std::string& graph)
      : gossip(make_network(n, config_with({{"network.graph", graph}}).network, 1), 2, threads),
        z({0, n}, d) {}

  std::vector<double> mixed() {
    fill_with_normals(z);
    gossip.mix(z);
    std::vector<double> all;
    for (int i = 0; i < n; ++i) all.insert(all.end(), z.row(i).begin(), z.row(i).end());
    return all;
  }

  Threads threads{1};
  OurGossip<Real> gossip;
  Rows<Real> z;
};

template <class Real>
KernelLoad mixing_on(const std::string& graph) {
  const auto here = std::make_shared<Mixing<Real>>(graph);
  here->mixed();
  return {name_of<Real>(fmt::format("two rounds on a {}, n={} d={}", graph, n, d)),
          [here] { here->gossip.mix(here->z); }, [here] { return here->mixed(); }};
}

template <class Real>
std::shared_ptr<std::vector<Real>> drawn() {
  const auto numbers = std::make_shared<std::vector<Real>>(d);
  Random(1, Purpose::synthetic).normals<Real>(0, *numbers);
  return numbers;
}

template <class Real>
KernelLoad a_norm() {
  const auto numbers = drawn<Real>();
  const auto sum = std::make_shared<double>(0);
  return {name_of<Real>(fmt::format("norm, d={}", d)), [=] { *sum += norm<Real>(*numbers); },
          [=] { return std::vector<double>{norm<Real>(*numbers)}; }};
}

template <class Real>
KernelLoad some_normals() {
  const auto numbers = drawn<Real>();
  const auto draw = [=] { Random(2, Purpose::direction).normals<Real>(0, *numbers); };
  return {name_of<Real>(fmt::format("{} normals", d)), draw, [=] {
            draw();
            return doubles<Real>(*numbers);
          }};
}

// Every estimate has a tick of its own, for an oracle keeps what it drew last.
template <class Real>
struct Estimates {
  Processes alone;
  Experiment<Real> experiment{config_with({{"problem.dimension", std::to_string(d)},
                                           {"problem.size", "160"},
                                           {"problem.sparsity", "0.01"},
                                           {"precision", sizeof(Real) == 4 ? "float32" : "float64"},
                                           {"run.threads", "1"}}),
                              alone};
  std::vector<Real> w = *drawn<Real>(), g = std::vector<Real>(d);
  Tick tick = 0;

  void next() { experiment.oracle->estimate(0, ++tick, w, g); }
};

template <class Real>
KernelLoad an_estimate() {
  const auto here = std::make_shared<Estimates<Real>>();
  return {name_of<Real>(fmt::format("estimate on the svm, d={}", d)), [here] { here->next(); },
          [here] {
            here->tick = 0;
            here->next();
            return doubles<Real>(here->g);
          }};
}

}  // namespace

template <class Real>
std::vector<KernelLoad> kernel_loads() {
  return {mixing_on<Real>("ring"), mixing_on<Real>("torus"), a_norm<Real>(), some_normals<Real>(),
          an_estimate<Real>()};
}

template std::vector<KernelLoad> kernel_loads<float>();
template std::vector<KernelLoad> kernel_loads<double>();

}  // namespace doc2s::bench
