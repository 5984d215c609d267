// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "scaling.hpp"

namespace doc2s {

namespace {

// Chosen by hand on a9a: at δ = 0.1, ε = 0.04 the goal is far from the start's 1.35 and above the noise of a
// constant step.
ScalingSize size_named(Scale scale) {
  switch (scale) {
    case Scale::smoke:
      return {{8, 16}, 2,
              800,     40,
              0.1,     0.09,
              4,       changes_from({"problem.data=synthetic", "problem.size=320", "problem.dimension=20"})};
    case Scale::quick:
      return {{8, 32}, 6, 6000, 40, 0.1, 0.04, 10, {}};
    default:
      return {{8, 16, 32, 64}, 12, 8000, 40, 0.1, 0.04, 10, {}};
  }
}

struct Pair {
  const char *eta, *D;
};

// Small steps suit one sample an iteration, large ones n samples. Where R is tuned too, the first ones are
// taken.
constexpr Pair pairs[] = {{"0.02", "0.02"}, {"0.005", "0.02"}, {"0.02", "0.05"}, {"0.1", "0.1"},
                          {"0.1", "0.2"},   {"0.005", "0.01"}, {"0.02", "0.01"}, {"0.02", "0.1"},
                          {"0.1", "0.05"},  {"0.005", "0.05"}, {"0.1", "0.02"},  {"0.5", "0.2"}};

Changes setting_of(const Pair& pair, int R) {
  std::vector<std::string> words;
  if (R > 0) words.push_back(fmt::format("method.R={}", R));
  words.push_back(fmt::format("method.eta={}", pair.eta));
  words.push_back(fmt::format("method.D={}", pair.D));
  return changes_from(words);
}

}  // namespace

ScalingSize scaling_size(Scale scale) { return size_named(scale); }

const std::vector<ScalingMethod>& scaling_methods() {
  using Rounds = ScalingMethod::Rounds;
  static const std::vector<ScalingMethod> all = {
      {"DOC²S, exact R", "doc2s", Rounds::exact, 0, {0, 0, 0}, {0, 0, -0.5}},
      {"DOC²S, R tuned for samples", "doc2s", Rounds::tuned, 0, {0, 0, 0}, {0, 0, -0.5}},
      {"DOC²S, R tuned for communication", "doc2s", Rounds::tuned, 2, {0, 0, 0}, {0, 0, -0.5}},
      {"ME-DOL", "me-dol", Rounds::none, 0, {2, 1, 1}, {-2, -2, -2}}};
  return all;
}

std::vector<Changes> scaling_settings(const ScalingMethod& method, const ScalingCell& cell,
                                      std::size_t trials) {
  std::vector<int> rounds = cell.tried_R;
  if (method.rounds == ScalingMethod::Rounds::exact) rounds = {cell.exact_R};
  if (method.rounds == ScalingMethod::Rounds::none) rounds = {0};
  std::vector<Changes> settings;
  for (const auto& pair : pairs)
    for (const int R : rounds)
      if (settings.size() < trials) settings.push_back(setting_of(pair, R));
  return settings;
}

}  // namespace doc2s
