// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

namespace doc2s::python {

// Seconds that this many calls of the problem's value() take as the engine makes them: from C++, with the GIL
// free in between. bench/python/calls.py compares them with calls from Python.
double seconds_of_calls(const pybind11::object& problem, int calls, bool with_gradient);

}  // namespace doc2s::python
