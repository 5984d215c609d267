// SPDX-License-Identifier: Apache-2.0
#define EIGEN_DONT_PARALLELIZE  // like the oracle, which is single-threaded
#include <Eigen/Core>
#include <algorithm>

#include "competitors.hpp"

namespace doc2s::bench {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix made_up(Index rows, Index columns) { return Matrix::Random(rows, columns); }

// max |left · right − product|; a lazy product is a plain sum over the inner index
template <class Left, class Right>
double difference(const Left& left, const Right& right, const Matrix& product) {
  const Eigen::MatrixXd plain = left.template cast<double>().lazyProduct(right.template cast<double>());
  return (plain - product.template cast<double>()).cwiseAbs().maxCoeff() / plain.cwiseAbs().maxCoeff();
}

}  // namespace

struct Gemms::Matrices {
  Matrix a, W1, h, W2, z, delta2, delta1, G1, G2;
};

Gemms::Gemms(Index batch, Index in, Index hidden, Index out) : at_(std::make_unique<Matrices>()) {
  at_->a = made_up(batch, in), at_->W1 = made_up(hidden, in), at_->W2 = made_up(out, hidden);
  at_->delta2 = made_up(batch, out);
  at_->h.resize(batch, hidden), at_->z.resize(batch, out), at_->delta1.resize(batch, hidden);
  at_->G1.resize(hidden, in), at_->G2.resize(out, hidden);
}

Gemms::~Gemms() = default;

void Gemms::run_forward() {
  Matrices& m = *at_;
  m.h.noalias() = m.a * m.W1.transpose();
  m.z.noalias() = m.h * m.W2.transpose();
}

void Gemms::run() {
  run_forward();
  Matrices& m = *at_;
  m.G2.noalias() = m.delta2.transpose() * m.h;
  m.delta1.noalias() = m.delta2 * m.W2;
  m.G1.noalias() = m.delta1.transpose() * m.a;
}

double Gemms::error() const {
  const Matrices& m = *at_;
  return std::max({difference(m.a, m.W1.transpose(), m.h), difference(m.h, m.W2.transpose(), m.z),
                   difference(m.delta2.transpose(), m.h, m.G2), difference(m.delta2, m.W2, m.delta1),
                   difference(m.delta1.transpose(), m.a, m.G1)});
}

}  // namespace doc2s::bench
