// SPDX-License-Identifier: Apache-2.0
#include "inputs_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "doc2s/base/error.hpp"

namespace doc2s {

void check_labels(const Images& images, int classes) {
  for (Index row = 0; row < images.count(); ++row)
    if (const int label = images.labels[row]; label < 0 || label >= classes)
      throw Error(fmt::format("image {} (counted from 1) has the label {}", row + 1, label), images.source,
                  fmt::format("labels go from 0 to {}", classes - 1));
}

Index largest_of(std::span<const double> outputs) {
  return std::max_element(outputs.begin(), outputs.end()) - outputs.begin();
}

template <class Real>
InputsProblem<Real>::InputsProblem(HeldInputs train) : train_(std::move(train)) {
  for (const Inputs& part : train_.validation)
    if (part.count() > 0) require_alike(part, "validation");
}

template <class Real>
void InputsProblem<Real>::require_alike(const Inputs& inputs, const char* whose) const {
  const auto text = [](const Inputs& some) { return fmt::format("{}", fmt::join(some.shape(), "x")); };
  if (inputs.shape() != train_.inputs.shape())
    throw Error(fmt::format("the {} samples are of shape {}, the training samples of {}", whose, text(inputs),
                            text(train_.inputs)),
                inputs.source, fmt::format("take training and {} samples of one data set", whose));
  check_labels(inputs, train_.inputs.classes);
}

template <class Real>
void InputsProblem<Real>::set_test_inputs(Inputs test) {
  require_alike(test, "test");
  test_ = std::move(test);
}

template <class Real>
typename Problem<Real>::Validated InputsProblem<Real>::tried(const Inputs& inputs,
                                                             std::span<const Real> x) const {
  if (inputs.count() == 0) return {0, 0};
  const std::vector<double> all = outputs(inputs, x);
  const auto rows = static_cast<double>(inputs.count());
  if (inputs.is_numeric) return {rows, squared_errors(all, inputs.targets)};
  const auto width = static_cast<std::size_t>(train_.inputs.classes);
  Index right = 0;
  for (Index row = 0; row < inputs.count(); ++row)
    right += largest_of(std::span(all).subspan(row * width, width)) == inputs.labels[row];
  return {rows, static_cast<double>(right)};
}

template <class Real>
std::vector<typename Problem<Real>::Validated> InputsProblem<Real>::validated(std::span<const Real> x) const {
  std::vector<Validated> parts;
  for (const Inputs& part : train_.validation) parts.push_back(tried(part, x));
  return parts;
}

template <class Real>
double InputsProblem<Real>::accuracy(std::span<const Real> x) const {
  if (test_.count() == 0 || test_.is_numeric) return Problem<Real>::accuracy(x);
  const auto [rows, right] = tried(test_, x);
  return right / rows;
}

template <class Real>
double InputsProblem<Real>::test_rmse(std::span<const Real> x) const {
  if (test_.count() == 0 || !test_.is_numeric) return Problem<Real>::test_rmse(x);
  const auto [rows, squares] = tried(test_, x);
  return std::sqrt(squares / rows);
}

double squared_errors(std::span<const double> outputs, std::span<const double> targets) {
  double sum = 0;
  for (std::size_t row = 0; row < targets.size(); ++row)
    sum += (outputs[row] - targets[row]) * (outputs[row] - targets[row]);
  return sum;
}

double root_mean_square_error(std::span<const double> outputs, std::span<const double> targets) {
  return std::sqrt(squared_errors(outputs, targets) / static_cast<double>(targets.size()));
}

template class InputsProblem<float>;
template class InputsProblem<double>;

}  // namespace doc2s
