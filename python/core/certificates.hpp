// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/numpy.h>

#include <optional>
#include <string>

namespace doc2s::python {

namespace py = pybind11;

struct CertifyHow {
  double delta;
  std::optional<double> epsilon;
  std::int64_t budget, sampled;
};

// Of a run's directory, or of points in a file with their config; JSON text.
std::string certify_files(const std::string& target, const std::string& config, const std::string& which,
                          const std::string& client, const CertifyHow& how, const py::object& tell);

// Of points in memory, count × d; `problem` is None where the config's own is meant. `clients` numbers them;
// empty: one point for all.
std::string certify_points(const py::array_t<double, py::array::c_style | py::array::forcecast>& points,
                           const std::vector<std::int64_t>& clients, const std::string& which,
                           const std::string& config, const py::object& problem, const CertifyHow& how,
                           const py::object& tell);

}  // namespace doc2s::python
