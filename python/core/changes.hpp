// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "doc2s/config/config.hpp"

namespace doc2s::python {

namespace py = pybind11;

struct Setting {
  std::string key;
  Value value;
  std::string where;  // for messages
};

// From a list of (key, value, what messages call it).
std::vector<Setting> settings_in(const py::list& settings);
Changes changes_in(const py::list& settings);

}  // namespace doc2s::python
