// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <string>

namespace doc2s::python {

// {"answer": as `doc2s guarantee --json` prints it, "result": of the run}. `problem` is None where the
// config's own is meant; `going` (None: nobody) hears now and then how far it is.
pybind11::dict guarantee(const std::string& config, const pybind11::list& settings,
                         const pybind11::object& problem, const pybind11::object& given,
                         const pybind11::object& going);

}  // namespace doc2s::python
