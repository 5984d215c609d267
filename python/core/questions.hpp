// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

namespace doc2s::python {

// spectrum, plan, list, explain, certify, tune, sweep and report: what the commands of these names answer,
// most of it as JSON text.
void add_questions(pybind11::module_& module);

}  // namespace doc2s::python
