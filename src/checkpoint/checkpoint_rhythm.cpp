// SPDX-License-Identifier: Apache-2.0
#include "checkpoint_rhythm.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

const std::map<std::string, double, std::less<>> units = {
    {"s", 1}, {"sec", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};  // seconds

[[noreturn]] void refuse(const Settings& run) {
  throw Error("\"" + run.text("checkpoint_every") + "\" is neither a time nor a number of iterations",
              run.where("checkpoint_every"), "give for example 60s, 5min, 2h, 10000 or never");
}

}  // namespace

CheckpointRhythm::CheckpointRhythm(const Settings& run)
    : every_seconds_(std::numeric_limits<double>::infinity()) {
  const std::string& text = run.text("checkpoint_every");
  if (text == "never") return;
  double number = 0;
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (failure != std::errc() || !std::isfinite(number) || number <= 0) refuse(run);
  if (unit.empty()) {
    if (number != std::floor(number) || number > 1e15) refuse(run);
    every_iterations_ = static_cast<Index>(number);
  } else if (const auto found = units.find(unit); found != units.end()) {
    every_seconds_ = number * found->second;
  } else {
    refuse(run);
  }
}

bool CheckpointRhythm::due(Index iteration, double seconds) const {
  return every_iterations_ > 0 ? iteration % every_iterations_ == 0 : seconds - last_ >= every_seconds_;
}

}  // namespace doc2s
