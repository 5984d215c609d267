// SPDX-License-Identifier: Apache-2.0
#include "calls_bench.hpp"

#include <chrono>

#include "python_problem.hpp"

namespace doc2s::python {

double seconds_of_calls(const py::object& problem, int calls, bool with_gradient) {
  const PythonProblem<double> own(problem);
  const std::vector<double> x(own.dimension());
  std::vector<double> gradient(with_gradient ? x.size() : 0);
  const std::vector<Index> batch(1);
  const py::gil_scoped_release others;
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < calls; ++k) own.value(k % own.clients(), batch, x, gradient);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace doc2s::python
