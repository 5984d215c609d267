// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <string>

namespace doc2s::python {

namespace py = pybind11;

// How a run is carried out, by the attributes of python/doc2s/_minimize.py's Carrying: out, resume, force,
// trace (each may be None), callback and progress (None: none), takes_interrupt.
//
// `settings` is a list of (key, value, what messages call it).
py::dict minimize(const py::object& problem, const py::list& settings, const py::object& carrying);

// The config's own problems: a result for each method. `text` is TOML, and `folder` where its paths start.
py::list run(const std::string& text, const std::string& name, const std::string& folder,
             const py::list& settings, const py::object& carrying);

}  // namespace doc2s::python
