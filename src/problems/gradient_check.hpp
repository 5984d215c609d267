// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/problems/problem.hpp"

// Finds problems whose value() does not fill the gradient, or fills it with something else: what it leaves
// would count as a gradient, and zeros as a proof of stationarity.
namespace doc2s {

// Throws the Error of whoever asks a problem without has_gradient() for one.
[[noreturn]] void refuse_without_gradient(const std::string& where);

// Fills the gradient with a NaN that no arithmetic makes, to be called before value().
template <class Real>
void mark_unset(std::span<Real> gradient);

// Throws Error where value() left some of the marks.
template <class Real>
void require_set(int client, std::span<const Real> gradient);

// Both around one call of value() on a batch. A problem with state is not asked, for that would change it.
template <class Real>
void check_gradient(const Problem<Real>& problem, int client, Index batch, std::span<const Real> x);

template <class Real>
bool has_state(const Problem<Real>& problem);

}  // namespace doc2s
