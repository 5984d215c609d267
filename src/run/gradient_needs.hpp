#pragma once
#include "doc2s/config/config.hpp"
#include "problems/kinds.hpp"

namespace doc2s {

// The config with order "zeroth", and a notice, where the problem has no gradient and no order was given.
// Throws Error where order "first" was asked for.
template <class Real>
Config with_possible_order(Config config, const Problem<Real>& problem);

// Throws Error where a gradient that a first-order run will ask for is missing or plainly wrong. Adds a
// notice where a user's own could not be checked.
template <class Real>
Config with_checked_gradient(Config config, const MadeProblem<Real>& made, ClientRange here);

}  // namespace doc2s
