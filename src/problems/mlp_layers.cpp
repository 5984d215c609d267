// SPDX-License-Identifier: Apache-2.0
#define EIGEN_DONT_PARALLELIZE  // a client's oracle is single-threaded
#include "mlp_layers.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace doc2s {

namespace {

template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Real>
Eigen::Map<const Matrix<Real>> matrix(const Real* numbers, Index rows, Index columns) {
  return {numbers, rows, columns};
}
template <class Real>
Eigen::Map<Matrix<Real>> matrix(Real* numbers, Index rows, Index columns) {
  return {numbers, rows, columns};
}

// out += left · right. For tiny matrices Eigen uses another path, whose bits depend on the addresses.
template <class Left, class Right, class Out>
void add_product(const Left& left, const Right& right, Out out) {
  constexpr Index tiny = 20;  // EIGEN_GEMM_TO_COEFFBASED_THRESHOLD
  if (out.rows() + out.cols() + left.cols() >= tiny) {
    out.noalias() += left * right;
    return;
  }
  for (Index i = 0; i < out.rows(); ++i)
    for (Index k = 0; k < left.cols(); ++k)
      for (Index j = 0; j < out.cols(); ++j) out(i, j) += left(i, k) * right(k, j);
}

}  // namespace

template <class Real>
void apply_layer(const MlpLayer& layer, const Real* x, Index count, const Real* a, Real* z) {
  const Real* biases = x + layer.biases;
  for (Index row = 0; row < count; ++row) std::copy_n(biases, layer.out, z + row * layer.out);
  const auto W = matrix(x + layer.weights, layer.out, layer.in);
  add_product(matrix(a, count, layer.in), W.transpose(), matrix(z, count, layer.out));
}

template <class Real>
void apply_relu(Index count, Real* a) {
  for (Index k = 0; k < count; ++k) a[k] = a[k] < 0 ? Real(0) : a[k];
}

template <class Real>
void add_layer_gradient(const MlpLayer& layer, Index count, const Real* delta, const Real* a,
                        Real* gradient) {
  add_product(matrix(delta, count, layer.out).transpose(), matrix(a, count, layer.in),
              matrix(gradient + layer.weights, layer.out, layer.in));
  Real* biases = gradient + layer.biases;
  for (Index row = 0; row < count; ++row)
    for (Index k = 0; k < layer.out; ++k) biases[k] += delta[row * layer.out + k];
}

template <class Real>
void pass_back(const MlpLayer& layer, const Real* x, Index count, const Real* delta, const Real* a,
               Real* back) {
  const auto W = matrix(x + layer.weights, layer.out, layer.in);
  std::fill_n(back, count * layer.in, Real(0));
  add_product(matrix(delta, count, layer.out), W, matrix(back, count, layer.in));
  for (Index k = 0; k < count * layer.in; ++k) back[k] = a[k] > 0 ? back[k] : Real(0);
}

template <class Real>
double softmax_loss(Index count, Index classes, const int* labels, double factor, Real* z) {
  double loss = 0;
  for (Index row = 0; row < count; ++row, z += classes) {
    const double largest = *std::max_element(z, z + classes);  // so that exp of the differences is at most 1
    double sum = 0;
    for (Index c = 0; c < classes; ++c) sum += std::exp(z[c] - largest);
    loss += std::log(sum) - (z[labels[row]] - largest);
    if (factor == 0) continue;
    for (Index c = 0; c < classes; ++c) {
      const double share = std::exp(z[c] - largest) / sum - (c == labels[row] ? 1 : 0);
      z[c] = static_cast<Real>(factor * share);
    }
  }
  return loss;
}

template <class Real>
double number_loss(Index count, const double* targets, const LossRule& rule, double factor, Real* z) {
  double loss = 0;
  for (Index row = 0; row < count; ++row) {
    const auto [value, slope] = loss_of(rule, z[row] - targets[row]);
    loss += value;
    if (factor != 0) z[row] = static_cast<Real>(factor * slope);
  }
  return loss;
}

#define DOC2S_INSTANTIATE(Real)                                                                  \
  template void apply_layer(const MlpLayer&, const Real*, Index, const Real*, Real*);            \
  template void apply_relu(Index, Real*);                                                        \
  template void add_layer_gradient(const MlpLayer&, Index, const Real*, const Real*, Real*);     \
  template void pass_back(const MlpLayer&, const Real*, Index, const Real*, const Real*, Real*); \
  template double softmax_loss(Index, Index, const int*, double, Real*);                         \
  template double number_loss(Index, const double*, const LossRule&, double, Real*);
DOC2S_INSTANTIATE(float)
DOC2S_INSTANTIATE(double)
#undef DOC2S_INSTANTIATE

}  // namespace doc2s
