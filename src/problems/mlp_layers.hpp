// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mlp.hpp"

namespace doc2s {

// Matrices are row-major, one sample per row. The bits depend only on the numbers and sizes, not on the
// addresses of the matrices.

// z (count × out) = a Wᵀ + 1 bᵀ, a (count × in)
template <class Real>
void apply_layer(const MlpLayer& layer, const Real* x, Index count, const Real* a, Real* z);

// a = max{a, 0} in place; NaN stays NaN
template <class Real>
void apply_relu(Index count, Real* a);

// Gradient of the layer: W += δᵀ a, b += δᵀ 1, δ (count × out)
template <class Real>
void add_layer_gradient(const MlpLayer& layer, Index count, const Real* delta, const Real* a, Real* gradient);

// back (count × in) = δ W where a > 0, else 0
template <class Real>
void pass_back(const MlpLayer& layer, const Real* x, Index count, const Real* delta, const Real* a,
               Real* back);

// Σ over the rows of log Σ_c exp z_c − z_label. If factor ≠ 0, overwrites z with factor · (softmax −
// e_label).
template <class Real>
double softmax_loss(Index count, Index classes, const int* labels, double factor, Real* z);

// Σ over the samples of the loss of z against its target. If factor ≠ 0, overwrites z with factor · slope.
template <class Real>
double number_loss(Index count, const double* targets, const LossRule& rule, double factor, Real* z);

}  // namespace doc2s
