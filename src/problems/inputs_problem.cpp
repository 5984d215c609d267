// SPDX-License-Identifier: Apache-2.0
#include "inputs_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "doc2s/base/error.hpp"

namespace doc2s {

Index largest_of(std::span<const double> outputs) {
  return std::max_element(outputs.begin(), outputs.end()) - outputs.begin();
}

template <class Real>
void InputsProblem<Real>::set_test_inputs(Inputs test) {
  const auto text = [](const Inputs& inputs) { return fmt::format("{}", fmt::join(inputs.shape(), "x")); };
  if (test.shape() != train_.inputs.shape())
    throw Error(fmt::format("the test samples are of shape {}, the training samples of {}", text(test),
                            text(train_.inputs)),
                test.source, "take training and test samples of one data set");
  test_ = std::move(test);
}

template <class Real>
double InputsProblem<Real>::accuracy(std::span<const Real> x) const {
  if (test_.count() == 0 || test_.is_numeric) return Problem<Real>::accuracy(x);
  const std::vector<double> all = outputs(test_, x);
  const auto width = static_cast<std::size_t>(train_.inputs.classes);
  Index right = 0;
  for (Index row = 0; row < test_.count(); ++row)
    right += largest_of(std::span(all).subspan(row * width, width)) == test_.labels[row];
  return static_cast<double>(right) / static_cast<double>(test_.count());
}

template <class Real>
double InputsProblem<Real>::test_rmse(std::span<const Real> x) const {
  if (test_.count() == 0 || !test_.is_numeric) return Problem<Real>::test_rmse(x);
  return root_mean_square_error(outputs(test_, x), test_.targets);
}

double root_mean_square_error(std::span<const double> outputs, std::span<const double> targets) {
  double sum = 0;
  for (std::size_t row = 0; row < targets.size(); ++row)
    sum += (outputs[row] - targets[row]) * (outputs[row] - targets[row]);
  return std::sqrt(sum / static_cast<double>(targets.size()));
}

template class InputsProblem<float>;
template class InputsProblem<double>;

}  // namespace doc2s
