// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <memory>

#include "doc2s/problems/problem.hpp"

namespace doc2s::python {

// What configs call "own" for as long as the result is held; nothing of None.
std::shared_ptr<const void> lent(const pybind11::object& problem);

// The problem in float64, in which certificates are; nothing of None.
std::shared_ptr<const Problem<double>> in_double(const pybind11::object& problem);

}  // namespace doc2s::python
