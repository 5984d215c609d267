// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include "doc2s/config/config.hpp"
#include "doc2s/run/record.hpp"
#include "run/kept_run.hpp"

namespace doc2s::python {

namespace py = pybind11;

py::dict as_dict(const Record& record);  // without what it has no value for; counts as int

// What a run left, under the names of python/doc2s/_result.py. Arrays take over the memory.
py::dict as_dict(KeptInMemory kept, Status status, const std::vector<std::string>& notes, int rank);

py::list quantity_list();  // quantities(), for tables and figures

// A Python value as one of a config; TypeError where it is none.
Value value_from(const py::handle& value, const std::string& where);

}  // namespace doc2s::python
