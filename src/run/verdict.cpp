// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "guarantee_steps.hpp"
#include "theory/outward.hpp"

namespace doc2s {

namespace {

double largest_bound(const CertifyAnswer& answer) {
  return std::ranges::max_element(answer.results, {}, &CertifyResult::bound)->bound;
}

std::string clients_text(Index reached, Index all) {
  if (reached == all)
    return all == 1 ? "The one client's output is" : fmt::format("All {} clients' outputs are", all);
  return fmt::format("{} of {} clients' outputs are", reached, all);
}

std::string finding(const PlannedConfig& planned, const CertifyAnswer& answer) {
  const Index n = planned.network.clients();
  const std::string largest = rounded_up(largest_bound(answer), 4);
  if (answer.is_estimate())
    return fmt::format(
        "Nothing is certified, as the problem gives values alone: the largest estimate of ‖∇f‖_δ at a "
        "client's output is {}.",
        largest);
  Index reached = std::ranges::count_if(answer.results, [&](const auto& one) { return answer.reaches(one); });
  if (!answer.results.front().client) reached *= n;  // one point for all
  const double epsilon = *answer.epsilon;
  return fmt::format("{} certified as ({}, {})-Goldstein stationary: the largest bound is {}.",
                     clients_text(reached, n), answer.delta,
                     planned.theory.request.budget ? rounded_up(epsilon, 4) : fmt::format("{}", epsilon),
                     largest);
}

std::string measured_constants(const ProblemConstants& constants, bool zeroth) {
  if (!constants.lipschitz.measured) return !zeroth && constants.gradient_bound.measured ? "G is" : "";
  return !zeroth && constants.gradient_bound.measured ? "L and G are" : "L is";
}

std::string meaning(const PlannedConfig& planned, const CertifyAnswer& answer, bool certified) {
  const auto& [request, constants, plan, theorem_R, exact_R] = planned.theory;
  if (const auto measured = measured_constants(constants, request.zeroth); !measured.empty())
    return fmt::format("{} measured and not proved, so the plan is a plan and only a certificate counts.",
                       measured);
  if (request.epsilon >= request.lipschitz)
    return fmt::format("That says little: ε is at least L = {:.4g}, and then every point is stationary.",
                       request.lipschitz);
  if (answer.is_estimate())
    return "The theorem's promise, in expectation, stands; a certificate needs a problem with gradients.";
  return certified ? "The theorem promised it in expectation before the run; the certificate proves it for "
                     "this one."
                   : "The theorem is about the expectation, so one run may miss ε; another seed, or more "
                     "gradients in `doc2s certify`, may do.";
}

}  // namespace

Verdict verdict_on(const PlannedConfig& planned, Status status, const CertifyAnswer* answer) {
  if (!answer)
    return {false, fmt::format("The run {}, so nothing is certified. The plan's promise is for a run of its "
                               "whole length.",
                               status == Status::diverged ? "diverged" : "was interrupted")};
  const bool certified = !answer->is_estimate() && std::ranges::all_of(answer->results, [&](const auto& one) {
    return answer->reaches(one);
  });
  return {certified, finding(planned, *answer) + " " + meaning(planned, *answer, certified)};
}

}  // namespace doc2s
