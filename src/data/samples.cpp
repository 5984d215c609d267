#include "doc2s/data/samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "doc2s/base/error.hpp"
#include "doc2s/base/text.hpp"

namespace doc2s {

namespace {

using Pairs = std::vector<LabelPair>;

bool holds(const LabelPair& pair, double label) { return label == pair.negative || label == pair.positive; }

std::string name(const LabelPair& pair) {
  return pair.negative < 0 ? "-1/+1" : fmt::format("{}/{}", pair.negative, pair.positive);
}

// The first few different labels, for a message.
std::string labels_seen(const std::vector<double>& labels) {
  constexpr std::size_t most = 8;
  std::vector<double> seen;
  for (const double label : labels) {
    if (std::find(seen.begin(), seen.end(), label) == seen.end()) seen.push_back(label);
    if (seen.size() > most) break;
  }
  std::vector<std::string> words;
  for (std::size_t k = 0; k < std::min(seen.size(), most); ++k) words.push_back(fmt::format("{}", seen[k]));
  return joined(words) + (seen.size() > most ? ", …" : "");
}

[[noreturn]] void refuse(const Samples& samples, std::size_t row, const Pairs& pairs) {
  std::vector<std::string> names;
  for (const auto& pair : pairs) names.push_back(name(pair));
  throw Error(fmt::format("the label {} of sample {} does not fit two classes; labels seen: {}",
                          samples.labels[row], row + 1, labels_seen(samples.labels)),
              samples.source, "labels must be " + joined(names, " or "));
}

// The first of the pairs that holds every label; throws at the sample where the last of them falls.
LabelPair fitting_pair(const Samples& samples, const Pairs& pairs) {
  Pairs fitting = pairs;
  for (std::size_t row = 0; row < samples.labels.size(); ++row) {
    std::erase_if(fitting, [&](const LabelPair& pair) { return !holds(pair, samples.labels[row]); });
    if (fitting.empty()) refuse(samples, row, pairs);
  }
  return fitting.front();
}

void apply(Samples& samples, LabelPair pair) {
  if (pair.negative == -1 && pair.positive == 1) return;
  for (double& label : samples.labels) label = label == pair.positive ? 1 : -1;
  if (!samples.notice.empty()) samples.notice += "; ";
  samples.notice += fmt::format("labels {} were mapped to -1/+1", name(pair));
}

}  // namespace

LabelPair map_labels_to_signs(Samples& samples) {
  const LabelPair pair = fitting_pair(samples, {{-1, 1}, {0, 1}, {1, 2}});
  apply(samples, pair);
  return pair;
}

void map_labels_to_signs(Samples& samples, LabelPair pair) { apply(samples, fitting_pair(samples, {pair})); }

}  // namespace doc2s
