#include "kinds.hpp"

#include <fmt/format.h>

#include <map>

#include "mlp.hpp"
#include "svm.hpp"
#include "torch.hpp"

namespace doc2s {

const std::vector<ProblemKind>& problem_kinds() {
  static const std::vector<ProblemKind> kinds = {svm_kind(), mlp_kind(), resnet18_kind(), torchscript_kind()};
  return kinds;
}

Split split_of(std::span<const double> labels, const Shares& shares) {
  std::map<double, std::size_t> place;
  for (const double label : labels) place.emplace(label, 0);
  Split split;
  for (auto& [label, at] : place) {
    at = split.labels.size();
    split.labels.push_back(fmt::format("{}", label));
  }
  for (const auto& share : shares) {
    auto& counts = split.counts.emplace_back(place.size());
    for (const Index row : share) ++counts[place[labels[row]]];
  }
  return split;
}

Option evaluation_option(std::optional<std::int64_t> fallback) {
  return integer_option(
             "evaluation", fallback,
             "samples, over all clients, that the losses in records are computed on; all where absent")
      .at_least(1);
}

}  // namespace doc2s
