// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "doc2s/base/error.hpp"
#include "plan.hpp"

namespace doc2s {

namespace {

std::string superscript(int number) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[c - '0'];
  return text;
}

// The least of …, 0.1, 0.2, 0.5, 1, 2, … above the number.
double next_round_number(double number) {
  const double power = std::pow(10, std::floor(std::log10(number)));
  for (const double digit : {1.0, 2.0, 5.0, 10.0})
    if (digit * power > number * (1 + 1e-9)) return digit * power;
  return 10 * power;
}

}  // namespace

std::string readable(double count, double plain_below) {
  if (!std::isfinite(count)) return "more than any number";
  if (std::round(count) < plain_below) {
    std::string text = fmt::format("{:.0f}", count);
    if (text.size() > 3) text.insert(text.size() - 3, ",");
    return text;
  }
  int power = static_cast<int>(std::floor(std::log10(count)));
  double digits = std::round(count / std::pow(10, power) * 10) / 10;
  if (digits >= 10) digits /= 10, ++power;
  return fmt::format("{:g}·10{}", digits, superscript(power));
}

std::string caveat(const PlanRequest& request, const Plan& plan) {
  if (request.budget && plan.epsilon >= request.lipschitz)
    return fmt::format(
        "this budget guarantees nothing: for ε = {:.4g} ≥ L = {:.4g} every point is stationary; take more "
        "samples or a "
        "larger δ",
        plan.epsilon, request.lipschitz);
  const double longest = std::sqrt(plan.T);
  if (!request.smooth || request.tight || request.delta <= longest) return "";
  return fmt::format("the smooth case assumes δ ≤ √T, but δ = {:g} and √T = {:.4g}: take a smaller δ or ε",
                     request.delta, longest);
}

std::string readable_size(const PlanRequest& request, const Plan& plan, double batch, double iterations) {
  const std::string needs =
      fmt::format("this plan needs {} samples", readable(plan.iterations() * batch, 1e4));
  PlanRequest easier = request;
  easier.epsilon = plan.epsilon;
  easier.budget.reset();
  try {
    while ((easier.epsilon = next_round_number(easier.epsilon)) < request.lipschitz) {
      const double there = make_plan(easier).iterations();
      if (there <= iterations)
        return fmt::format("{}; at ε = {:g} it needs {}", needs, easier.epsilon,
                           readable(there * batch, 1e4));
    }
  } catch (const Error&) {  // no large enough ε has a plan
  }
  return fmt::format(
      "{}; no ε below L = {:g} makes it small enough (for ε ≥ L every point is stationary): use a larger δ",
      needs, request.lipschitz);
}

}  // namespace doc2s
