// SPDX-License-Identifier: Apache-2.0
#include "demo_story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "numbers.hpp"

namespace doc2s::app {

namespace {

using Contestants = std::vector<Contestant>;

const Contestant& lowest(const Contestants& all, const char* quantity) {
  return *std::ranges::min_element(all, {}, [&](const Contestant& one) { return one.end[quantity]; });
}

// "0.1, against 0.2 (that one) and 0.3 (another)"
template <class Text>
std::string against_others(const Contestants& all, const Contestant& one, Text text) {
  std::vector<std::string> others;
  for (const Contestant& other : all)
    if (&other != &one) others.push_back(fmt::format("{} ({})", text(other.end), other.label));
  return fmt::format("{}, against {}", text(one.end), joined(others, " and "));
}

std::string loss_sentence(const Contestants& all, const Contestant& best, const char* quantity) {
  return against_others(all, best, [&](const Record& end) { return loss_text(end[quantity]); });
}

std::string communication(const Record& end) {
  return fmt::format("{} and {}", with_commas(end.whole("communication_rounds")), bytes_text(end["bytes"]));
}

}  // namespace

std::string demo_story(const Contestants& all) {
  const Contestant& best = lowest(all, "loss_mean_point");
  const Contestant& safest = lowest(all, "loss_worst");
  const Contestant& cheapest = lowest(all, "communication_rounds");
  std::string story = fmt::format("After {} samples each, {} has the lowest loss at the clients' mean: {}.\n",
                                  with_commas(best.end.whole("samples")), best.label,
                                  loss_sentence(all, best, "loss_mean_point"));
  story += fmt::format("At the worst client {} is lowest{}: {}.\n", safest.label,
                       &safest == &best ? " too" : "", loss_sentence(all, safest, "loss_worst"));
  story += fmt::format("Rounds of communication and what they send over the edges: {} has {}.\n", best.label,
                       against_others(all, best, communication));
  if (&cheapest == &best)
    return story + fmt::format("So {} has both the lowest loss and the least communication.\n", best.label);
  return story +
         fmt::format("So {} pays for its low loss with {:.3g} times the communication of {}.\n", best.label,
                     best.end["communication_rounds"] / cheapest.end["communication_rounds"], cheapest.label);
}

}  // namespace doc2s::app
