// SPDX-License-Identifier: Apache-2.0
#include "end_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace doc2s {

namespace {

constexpr double nearly_all = 0.9;  // of the estimates, or of the steps
constexpr double many = 0.5;        // of the estimates
constexpr double little = 0.1;      // of the start's loss: with estimates of 0 no larger fall is expected
constexpr double rise = 0.1;  // from the best record to the last, of the fall to the best or of the best,
constexpr double least_rise = 0.02;  // which is this much of the fall at least
constexpr double rounding = 1e-6;    // of a loss: what differs by less does not differ
constexpr double fast = 0.3;         // of the mean speed of the run: how fast a loss falls that is not done
constexpr double late_from = 0.5, late_to = 0.8;  // of the run: where the late records are

class Ending {
 public:
  Ending(const Config& config, const std::string& stopped_by, const std::vector<LossAt>& losses,
         const StepCounts& counts)
      : method_(config.method),
        run_(config.run),
        precision_(config.general.text("precision")),
        stopped_by_(stopped_by),
        losses_(losses),
        counts_(counts),
        start_(losses.front()),
        last_(losses.back()),
        best_(*std::ranges::min_element(losses, {}, &LossAt::loss)) {}

  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (estimates_were_zero())
      notes.push_back(of_zeros());
    else if (share(counts_.noisy) >= many)
      notes.push_back(of_noise());
    if (lies_above_its_best())
      notes.push_back(of_the_best());
    else if (still_falls())
      notes.push_back(of_falling());
    else if (are_clipped() && !(method_.given("eta") && method_.given("D")) && !by_theory())
      notes.push_back(of_clipping());
    return notes;
  }

 private:
  double share(Index count) const {
    return counts_.estimates > 0 ? static_cast<double>(count) / static_cast<double>(counts_.estimates) : 0;
  }
  bool are_clipped() const { return share(counts_.clipped) >= nearly_all; }
  bool by_theory() const { return method_.has("parameters") && method_.text("parameters") == "theory"; }

  bool estimates_were_zero() const {
    return share(counts_.zeros) >= nearly_all && start_.loss - last_.loss <= little * std::abs(start_.loss);
  }

  bool lies_above_its_best() const {
    const double above = last_.loss - best_.loss, fall = start_.loss - best_.loss;
    const double much = std::min(rise * fall, std::max(rise * std::abs(best_.loss), least_rise * fall));
    return above > std::max(much, rounding * std::abs(best_.loss));
  }

  // From each record of the late ones to the last: noise alone is hardly so steep from all of them.
  bool still_falls() const {
    const double mean_speed = speed_since(start_);
    if (by_theory() || start_.loss - last_.loss <= rounding * std::abs(start_.loss)) return false;
    const auto end = static_cast<double>(last_.iteration);
    const auto is_late = [&](const LossAt& one) {
      const auto at = static_cast<double>(one.iteration);
      return at >= late_from * end && at <= late_to * end;
    };
    const auto falls = [&](const LossAt& one) {
      return !is_late(one) || speed_since(one) >= fast * mean_speed;
    };
    return std::ranges::any_of(losses_, is_late) && std::ranges::all_of(losses_, falls);
  }

  double speed_since(const LossAt& one) const {
    return (one.loss - last_.loss) / static_cast<double>(last_.iteration - one.iteration);
  }

  std::string of_zeros() const {
    const std::string what = fmt::format("{:.0f} % of the estimates were 0, so there was hardly a step",
                                         100 * share(counts_.zeros));
    if (method_.text("order") == "first") return what + ": try another start or seed, or order = \"zeroth\"";
    return fmt::format(
        "{}: their two values were equal, so the start may be a point of symmetry or a minimum, or values "
        "do not change within method.delta_prime = {:.3g}; try another start or seed, or a larger "
        "method.delta_prime",
        what, method_.real("delta_prime"));
  }

  std::string of_noise() const {
    const bool single = precision_ == "float32";
    return fmt::format(
        "{} rounds a loss of {:.3g} by up to {:.2g}, and in {:.0f} % of the estimates the two values "
        "differed by less than four times that, so that much of them may be rounding: try method.delta_prime "
        "= {:.3g}{}",
        precision_, last_.loss, std::abs(last_.loss) * (single ? 0x1p-24 : 0x1p-53),
        100 * share(counts_.noisy), 100 * method_.real("delta_prime"),
        single ? " or precision = \"float64\"" : "");
  }

  std::string of_the_best() const {
    const std::string what =
        best_.iteration == start_.iteration
            ? fmt::format("the loss never fell below that of the start, {:.4g}, and ends at {:.4g}",
                          best_.loss, last_.loss)
            : fmt::format("the loss was lower on the way, {:.4g} at iteration {}, than at the end, {:.4g}",
                          best_.loss, best_.iteration, last_.loss);
    if (by_theory()) return what;
    return fmt::format("{}: try a smaller {}", what, step_times(0.3));
  }

  std::string of_falling() const {
    if (are_clipped())
      return fmt::format(
          "the loss still falls fast, and {:.0f} % of the steps were cut to D: try a larger {}",
          100 * share(counts_.clipped), step_times(10));
    return fmt::format("the loss still falls fast: try a larger {} or a longer run, {}", step_times(3),
                       length());
  }

  // What ended the run; a budget that was reached as the method came to its end is what the user gave.
  std::string length() const {
    if (stopped_by_.starts_with("run.")) return stopped_by_;
    if (run_.has("budget.iterations") && run_.integer("budget.iterations") <= last_.iteration)
      return "run.budget.iterations";
    return method_.has("iterations") ? "method.iterations" : "method.K";
  }

  std::string of_clipping() const {
    return fmt::format("{:.0f} % of the steps were cut to D, so eta hardly counts: try a smaller {}",
                       100 * share(counts_.clipped), step_times(0.3));
  }

  // What decides the length of the steps, and a value for it.
  std::string step_times(double factor) const {
    const std::string name = are_clipped() ? "D" : "eta";
    return fmt::format("step, method.{} = {:.2g} in place of {:.4g}", name, factor * method_.real(name),
                       method_.real(name));
  }

  const Settings &method_, &run_;
  const std::string& precision_;
  const std::string& stopped_by_;
  const std::vector<LossAt>& losses_;
  const StepCounts counts_;
  const LossAt start_, last_, best_;
};

}  // namespace

std::vector<std::string> end_notes(const Config& config, const std::string& stopped_by,
                                   const std::vector<LossAt>& losses, const StepCounts& counts) {
  if (losses.size() < 2) return {};
  return Ending(config, stopped_by, losses, counts).notes();
}

}  // namespace doc2s
