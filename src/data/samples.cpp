// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

using Pairs = std::vector<LabelPair>;

std::string names_of(const Pairs& pairs) {
  std::vector<std::string> names;
  for (const auto& pair : pairs) names.push_back(pair.name());
  return joined(names, " or ");
}

// The first few distinct labels, for a message.
std::string labels_seen(const std::vector<double>& labels) {
  constexpr std::size_t most = 8;
  std::vector<double> seen;
  for (const double label : labels) {
    if (std::find(seen.begin(), seen.end(), label) == seen.end()) seen.push_back(label);
    if (seen.size() > most) break;
  }
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < std::min(seen.size(), most); ++k) texts.push_back(fmt::format("{}", seen[k]));
  return joined(texts) + (seen.size() > most ? ", …" : "");
}

[[noreturn]] void refuse(const Samples& samples, std::size_t row, const Pairs& pairs) {
  throw Error(fmt::format("the label {} of sample {} does not fit two classes; labels seen: {}",
                          samples.labels[row], row + 1, labels_seen(samples.labels)),
              samples.source, "labels must be " + names_of(pairs));
}

// The first pair that contains every label; throws at the sample that rules out the last one.
LabelPair fitting_pair(const Samples& samples, const Pairs& pairs) {
  Pairs fitting = pairs;
  for (std::size_t row = 0; row < samples.labels.size(); ++row) {
    std::erase_if(fitting, [&](const LabelPair& pair) { return !pair.holds(samples.labels[row]); });
    if (fitting.empty()) refuse(samples, row, pairs);
  }
  return fitting.front();
}

void apply(Samples& samples, LabelPair pair) {
  if (pair.negative == -1 && pair.positive == 1) return;
  for (double& label : samples.labels) label = label == pair.positive ? 1 : -1;
  if (!samples.notice.empty()) samples.notice += "; ";
  samples.notice += fmt::format("labels {} were mapped to -1/+1", pair.name());
}

}  // namespace

std::string LabelPair::name() const {
  return negative < 0 ? "-1/+1" : fmt::format("{}/{}", negative, positive);
}

const std::vector<LabelPair>& label_pairs() {
  static const Pairs pairs = {{-1, 1}, {0, 1}, {1, 2}};
  return pairs;
}

std::string label_pair_names() { return names_of(label_pairs()); }

LabelPair fitting_pair(const Samples& samples) { return fitting_pair(samples, label_pairs()); }

void append(Samples& samples, const Samples& more) {
  const Index before = samples.offsets.back();
  if (samples.source.empty()) samples.source = more.source;
  samples.dimension = std::max(samples.dimension, more.dimension);
  samples.columns.insert(samples.columns.end(), more.columns.begin(), more.columns.end());
  samples.values.insert(samples.values.end(), more.values.begin(), more.values.end());
  samples.labels.insert(samples.labels.end(), more.labels.begin(), more.labels.end());
  for (Index row = 1; row <= more.count(); ++row) samples.offsets.push_back(before + more.offsets[row]);
}

LabelPair map_labels_to_signs(Samples& samples) {
  const LabelPair pair = fitting_pair(samples);
  apply(samples, pair);
  return pair;
}

void map_labels_to_signs(Samples& samples, LabelPair pair) { apply(samples, fitting_pair(samples, {pair})); }

}  // namespace doc2s
