// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/config/config.hpp"
#include "problems/kinds.hpp"

namespace doc2s {

// The config with order "zeroth", and a notice, where the problem has no gradient and no order was given.
// Throws Error where order "first" was asked for.
template <class Real>
Config with_possible_order(Config config, const Problem<Real>& problem);

// Throws Error where the problem's gradient is missing, not filled, or, of a user's own problem, plainly
// wrong; returns a notice where the last could not be checked, else "".
template <class Real>
std::string check_gradient_of(const MadeProblem<Real>& made, const Config& config, ClientRange here);

// The config with that notice where a first-order run will ask for gradients.
template <class Real>
Config with_checked_gradient(Config config, const MadeProblem<Real>& made, ClientRange here);

}  // namespace doc2s
