// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "doc2s/problems/problem.hpp"

namespace doc2s {

// The problem with a gradient made of 2d values, ∂_j F = (F(x + h e_j) − F(x − h e_j)) / 2h: near the true
// one where F is smooth there, no proof of anything. The problem must outlive it.
std::unique_ptr<Problem<double>> with_differences(const Problem<double>& problem);

}  // namespace doc2s
