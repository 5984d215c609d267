// SPDX-License-Identifier: Apache-2.0
#include "base/kernels.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "algorithms/fused_steps.hpp"
#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/oracles/oracle.hpp"
#include "gossip/gossip.hpp"
#include "gossip/gossip_kernels.hpp"
#include "problems/svm.hpp"
#include "testing_world.hpp"

namespace doc2s {
namespace {

using testing::network_of;

constexpr KernelSet all_sets[] = {KernelSet::baseline, KernelSet::avx2, KernelSet::native};
constexpr Index lengths[] = {1, 7, 8, 9, 31, 32, 33, 127, 500, 4096, 4097, 10'000};

// The bytes of what a computation gave.
class Bytes {
 public:
  template <class Number>
  void add(std::span<const Number> numbers) {
    const auto bytes = std::as_bytes(numbers);
    all_.insert(all_.end(), bytes.begin(), bytes.end());
  }
  void add(double number) { add(std::span<const double>(&number, 1)); }
  bool operator==(const Bytes&) const = default;
  bool empty() const { return all_.empty(); }

 private:
  std::vector<std::byte> all_;
};

class KernelsInForceBefore {
 public:
  ~KernelsInForceBefore() { kernels_in_force = before_; }

 private:
  const KernelSet before_ = kernels_in_force;
};

// compute(bytes) by each set that is there, in this process.
template <class Compute>
void expect_equal_bits(const Compute& compute) {
  const KernelsInForceBefore back;
  Bytes first;
  for (const KernelSet set : all_sets) {
    if (!has_kernels(set)) continue;
    use_kernels(set);
    Bytes now;
    compute(now);
    if (first.empty()) first = now;
    EXPECT_TRUE(now == first) << kernels_name();
  }
  EXPECT_FALSE(first.empty());
}

template <class Real>
std::vector<Real> normals(std::uint32_t client, Index count) {
  std::vector<Real> numbers(count);
  Random(3, Purpose::start, client).normals<Real>(0, numbers);
  return numbers;
}

template <class Real>
class Kernels : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Kernels, Precisions);

TEST(KernelSets, AreThoseOfThisMachineAloneOrAll) {
  if (!baseline_kernels_built) {
    EXPECT_TRUE(has_kernels(KernelSet::native) && !has_kernels(KernelSet::avx2));
    return;
  }
  EXPECT_TRUE(has_kernels(KernelSet::baseline));
#ifdef __x86_64__
  EXPECT_EQ(has_kernels(KernelSet::avx2), __builtin_cpu_supports("avx2") != 0);
#endif
}

TEST(KernelSets, AreForcedByName) {
  const KernelsInForceBefore back;
  for (const KernelSet set : all_sets) {
    if (!has_kernels(set)) {
      EXPECT_THROW(use_kernels(set), Error);
      continue;
    }
    use_kernels(set);
    EXPECT_EQ(kernels_in_force, set);
  }
}

TYPED_TEST(Kernels, OfVectorsHaveEqualBits) {
  expect_equal_bits([](Bytes& bytes) {
    for (const Index d : lengths) {
      const auto a = normals<TypeParam>(1, d), b = normals<TypeParam>(2, d);
      bytes.add(dot<TypeParam>(a, b));
      bytes.add(norm<TypeParam>(a));
      bytes.add(distance<TypeParam>(a, b));
      auto y = a;
      scale<TypeParam>(y, TypeParam(0.3));
      add_scaled<TypeParam>(y, TypeParam(-0.7), b);
      bytes.add(std::span<const TypeParam>(y));
    }
  });
}

TYPED_TEST(Kernels, OfNormalsHaveEqualBits) {
  expect_equal_bits([](Bytes& bytes) {
    for (const Index d : lengths)
      for (const Index first : {0, 4, 128}) {
        std::vector<TypeParam> numbers(d);
        Random(5, Purpose::direction, 2, 1'000'000, 7).normals<TypeParam>(first, numbers);
        bytes.add(std::span<const TypeParam>(numbers));
      }
  });
}

TYPED_TEST(Kernels, OfGossipHaveEqualBits) {
  for (const char* graph : {"ring", "torus", "star", "regular", "complete"})
    for (const int R : {1, 2, 3, 4, 5, 6})
      for (const Index d : {1, 123, 5000}) {
        const Network network = network_of(graph, 16, /*lazy=*/true);
        const char* kind = R % 2 == 0 ? "chebyshev" : "chebyshev-interval";
        expect_equal_bits([&](Bytes& bytes) {
          Threads threads(1);
          InProcess<TypeParam> transport(16, threads);
          Traffic traffic;
          Rows<TypeParam> z({0, 16}, d);
          for (int i = 0; i < 16; ++i) Random(11, Purpose::start, i).normals<TypeParam>(0, z.row(i));
          Gossip<TypeParam>(network, network.rounds(kind, R), transport, traffic).mix(z);
          for (int i = 0; i < 16; ++i) bytes.add(std::span<const TypeParam>(z.row(i)));
        });
      }
}

// What rows from other processes are mixed by.
TYPED_TEST(Kernels, OfARoundOfScatteredRowsHaveEqualBits) {
  const Network network = network_of("torus", 12, /*lazy=*/true);
  const Recursion<TypeParam> recursion(network, RoundStep{1.2, 0.2});
  constexpr Index width = 48;
  expect_equal_bits([&](Bytes& bytes) {
    Rows<TypeParam> z({0, 12}, width), next({0, 12}, width);
    std::vector<TypeParam*> from, to;
    for (int i = 0; i < 12; ++i) {
      Random(11, Purpose::start, i).normals<TypeParam>(0, z.row(i));
      from.push_back(z.row(i).data());
      to.push_back(next.row(i).data());
    }
    by_kernels<GossipKernels, TypeParam>([&](auto kernels) {
      kernels.mix_round(recursion, {2, 9}, from.data(), from.data(), to.data(), 0, width);
    });
    for (int i = 0; i < 12; ++i) bytes.add(std::span<const TypeParam>(next.row(i)));
  });
}

TYPED_TEST(Kernels, OfFusedStepsHaveEqualBits) {
  using Real = TypeParam;
  const Real a = Real(0.3), b = Real(-0.7);
  expect_equal_bits([&](Bytes& bytes) {
    for (const Index d : lengths) {
      auto u = normals<Real>(1, d), v = normals<Real>(2, d), w = normals<Real>(3, d), y = normals<Real>(4, d);
      bytes.add(descend<Real>(u, a, v));
      bytes.add(descend_from<Real>(a, u, b, v));
      bytes.add(descend_from<Real>(Real(0), u, b, v));
      step_along<Real>(u, 0.9, y, w, v);
      step_with_momentum<Real>(a, b, w, 1.1, u, y);
      add_to_mean<Real>(a, y, v);
      leap_along<Real>(v, a, b, y, w);
      leap_along<Real>(v, Real(0), Real(0), y, u);
      add_interpolated<Real>(u, y, a, w);
      add_interpolated<Real>(u, y, Real(0), w);
      for (const auto* vector : {&u, &v, &w, &y}) bytes.add(std::span<const Real>(*vector));
    }
  });
}

Samples five_samples(Index d) {
  Samples samples;
  samples.dimension = d;
  for (int row = 0; row < 5; ++row) {
    for (Index j = row % 3; j < d; j += 3) {
      samples.columns.push_back(static_cast<std::int32_t>(j));
      samples.values.push_back(0.1 * static_cast<double>(j % 7) - 0.25);
    }
    samples.offsets.push_back(std::ssize(samples.columns));
    samples.labels.push_back(row % 2 == 0 ? 1 : -1);
  }
  return samples;
}

TYPED_TEST(Kernels, OfTheSvmHaveEqualBits) {
  for (const Index d : lengths) {
    const Svm<TypeParam> svm(five_samples(d), {{0, 1, 2}, {3, 4}}, 0.01, 0.5);
    const std::vector<Index> batch = {0, 2};
    expect_equal_bits([&](Bytes& bytes) {
      auto x = normals<TypeParam>(1, d);
      x[d / 2] = 0;
      std::vector<TypeParam> gradient(d);
      bytes.add(svm.value(0, batch, x, gradient));
      bytes.add(svm.value(0, batch, x, {}));
      bytes.add(std::span<const TypeParam>(gradient));
    });
  }
}

TYPED_TEST(Kernels, OfEstimatesHaveEqualBits) {
  using Real = TypeParam;
  for (const Index d : lengths) {
    const Svm<Real> svm(five_samples(d), {{0, 1, 2}, {3, 4}}, 0.01, 0.5);
    expect_equal_bits([&](Bytes& bytes) {
      const typename Oracle<Real>::Setting setting{2, 0.1, 7, nullptr, 1}, many{2, 0.1, 7, nullptr, 3};
      for (const auto& oracle : {make_first_order<Real>(svm, setting), make_zeroth_order<Real>(svm, many)}) {
        std::vector<Real> g(d);
        oracle->estimate(1, 5, normals<Real>(1, d), g);
        bytes.add(std::span<const Real>(g));
      }
    });
  }
}

}  // namespace
}  // namespace doc2s
