// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <functional>
#include <string>

namespace doc2s::python {

// Lines of text for a user's function (None: for nobody), from code that runs without the GIL. Python's
// signal handlers get their turn too. `tell` must outlive it.
inline std::function<void(const std::string&)> news_to(const pybind11::object& tell) {
  return [&tell](const std::string& text) {
    const pybind11::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    if (!tell.is_none()) tell(text);
  };
}

}  // namespace doc2s::python
