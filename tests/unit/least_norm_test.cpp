// SPDX-License-Identifier: Apache-2.0
#include "theory/least_norm.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "doc2s/base/random.hpp"

namespace doc2s {
namespace {

using Vectors = std::vector<Eigen::VectorXd>;

struct Answer {
  std::vector<double> weights;
  Eigen::VectorXd point;
};

Answer solve(const Vectors& vectors) {
  LeastNorm least;
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    std::vector<double> products;
    for (std::size_t b = 0; b <= k; ++b) products.push_back(vectors[k].dot(vectors[b]));
    least.add(products);
  }
  Answer answer{{least.weights().begin(), least.weights().end()},
                Eigen::VectorXd::Zero(vectors.front().size())};
  double sum = 0;
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    EXPECT_GE(answer.weights[k], 0);
    sum += answer.weights[k];
    answer.point += answer.weights[k] * vectors[k];
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  return answer;
}

Eigen::VectorXd vector(std::initializer_list<double> numbers) {
  Eigen::VectorXd v(static_cast<Eigen::Index>(numbers.size()));
  std::copy(numbers.begin(), numbers.end(), v.data());
  return v;
}

Vectors random_vectors(int count, int dimension, std::uint32_t which, double shift) {
  Vectors vectors;
  for (int k = 0; k < count; ++k) {
    Eigen::VectorXd v(dimension);
    Random(5, Purpose::synthetic, which, k)
        .normals<double>(0, {v.data(), static_cast<std::size_t>(v.size())});
    v(0) += shift;
    vectors.push_back(v);
  }
  return vectors;
}

// The least over all faces: for every subset the affine hull's least-norm point, where its weights are ≥ 0.
double by_all_faces(const Vectors& vectors) {
  double best = INFINITY;
  for (unsigned subset = 1; subset < 1u << vectors.size(); ++subset) {
    Vectors face;
    for (std::size_t k = 0; k < vectors.size(); ++k)
      if (subset >> k & 1) face.push_back(vectors[k]);
    const auto m = static_cast<Eigen::Index>(face.size());
    Eigen::MatrixXd equations = Eigen::MatrixXd::Zero(m + 1, m + 1);
    for (Eigen::Index a = 0; a < m; ++a) {
      for (Eigen::Index b = 0; b < m; ++b) equations(a, b) = face[a].dot(face[b]);
      equations(a, m) = equations(m, a) = 1;
    }
    Eigen::VectorXd right = Eigen::VectorXd::Zero(m + 1);
    right(m) = 1;
    const Eigen::VectorXd w = equations.fullPivLu().solve(right).head(m);
    if (!w.allFinite() || w.minCoeff() < 0 || std::abs(w.sum() - 1) > 1e-9) continue;
    Eigen::VectorXd point = Eigen::VectorXd::Zero(face.front().size());
    for (Eigen::Index a = 0; a < m; ++a) point += w(a) * face[a];
    best = std::min(best, point.norm());
  }
  return best;
}

TEST(LeastNorm, ForgetsAVector) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Vectors vectors;
    for (std::uint32_t k = 0; k < 7; ++k) {
      Eigen::VectorXd v(4);
      Random(seed, Purpose::synthetic, k).normals<double>(0, std::span(v.data(), 4));
      vectors.push_back(v + Eigen::VectorXd::Constant(4, 0.3));
    }
    LeastNorm least;
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      std::vector<double> products;
      for (std::size_t b = 0; b <= k; ++b) products.push_back(vectors[k].dot(vectors[b]));
      least.add(products);
    }
    const Index gone = seed % 7;
    least.remove(gone);
    vectors.erase(vectors.begin() + gone);
    Eigen::VectorXd point = Eigen::VectorXd::Zero(4);
    for (std::size_t k = 0; k < vectors.size(); ++k) point += least.weights()[k] * vectors[k];
    EXPECT_NEAR(point.norm(), solve(vectors).point.norm(), 1e-9) << seed;
  }
}

TEST(LeastNorm, KnownAnswers) {
  EXPECT_NEAR((solve({vector({3, 4})}).point - vector({3, 4})).norm(), 0, 1e-15);
  EXPECT_NEAR(solve({vector({1, 2}), vector({-1, -2})}).point.norm(), 0, 1e-12);
  EXPECT_NEAR((solve({vector({1, 1}), vector({1, -3})}).point - vector({1, 0})).norm(), 0, 1e-12);
  EXPECT_NEAR((solve({vector({2, 1}), vector({3, 1}), vector({2, 5})}).point - vector({2, 1})).norm(), 0,
              1e-12);
  const Answer triangle = solve({vector({1, 0}), vector({-1, 2}), vector({-1, -2})});
  EXPECT_NEAR(triangle.point.norm(), 0, 1e-12);
  EXPECT_NEAR(triangle.weights[0], 0.5, 1e-12);
  EXPECT_NEAR(solve({vector({0, 0}), vector({1, 0})}).point.norm(), 0, 1e-15);
  EXPECT_NEAR(solve({vector({0, 0}), vector({0, 0})}).point.norm(), 0, 1e-15);
}

TEST(LeastNorm, TheSameAsTheBestOfAllFaces) {
  for (std::uint32_t which = 0; which < 200; ++which) {
    const int count = 1 + static_cast<int>(which % 8), dimension = 1 + static_cast<int>(which % 5);
    const Vectors vectors = random_vectors(count, dimension, which, which % 3);
    EXPECT_NEAR(solve(vectors).point.norm(), by_all_faces(vectors), 1e-7) << which;
  }
}

// ⟨p, x⟩ ≥ ‖x‖² for all p says that x is the least.
void expect_least(const Vectors& vectors, double tolerance) {
  const Answer answer = solve(vectors);
  double largest = 0;
  for (const auto& v : vectors) largest = std::max(largest, v.norm());
  for (const auto& v : vectors)
    EXPECT_GE(v.dot(answer.point), answer.point.squaredNorm() - tolerance * largest * largest);
}

TEST(LeastNorm, ManyVectorsOfAnyLength) {
  for (const double scale : {1.0, 1e-9, 1e9})
    for (std::uint32_t which = 0; which < 5; ++which) {
      Vectors vectors = random_vectors(120, 30, 1000 + which, which);
      for (auto& v : vectors) v *= scale;
      expect_least(vectors, 1e-12);
    }
}

TEST(LeastNorm, EqualAndNearlyDependentVectorsDoNoHarm) {
  Vectors vectors = random_vectors(20, 10, 2000, 1.5);
  const double norm = solve(vectors).point.norm();
  Vectors repeated;
  for (int times = 0; times < 5; ++times) repeated.insert(repeated.end(), vectors.begin(), vectors.end());
  EXPECT_NEAR(solve(repeated).point.norm(), norm, 1e-9);
  for (const double gap : {1e-6, 1e-9, 1e-12, 1e-15}) {
    Vectors near = vectors;
    const Vectors noise = random_vectors(60, 10, 2001, 0);
    for (std::size_t k = 0; k < noise.size(); ++k) near.push_back(vectors[k % 20] + gap * noise[k]);
    EXPECT_NEAR(solve(near).point.norm(), norm, 1e-5) << gap;
    expect_least(near, 1e-10);
  }
}

TEST(LeastNorm, TheNormNeverGrowsAsVectorsCome) {
  const Vectors vectors = random_vectors(40, 15, 3000, 2);
  double before = INFINITY;
  for (std::size_t count = 1; count <= vectors.size(); ++count) {
    const double norm = solve({vectors.begin(), vectors.begin() + static_cast<Index>(count)}).point.norm();
    EXPECT_LE(norm, before * (1 + 1e-12));
    before = norm;
  }
}

}  // namespace
}  // namespace doc2s
