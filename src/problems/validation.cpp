// SPDX-License-Identifier: Apache-2.0
#include "validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/subset.hpp"
#include "base/text.hpp"
#include "data/table_targets.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

std::optional<double> share_in(const Settings& problem) {
  if (!problem.has("validation")) return {};
  const std::string& text = problem.text("validation");
  const ReadNumber number = read_whole_real(text);
  if (number.fault != NumberFault::none) return {};
  if (number.value <= 0 || number.value >= 1)
    throw Error(text + " is not a share of the rows", problem.where("validation"),
                "give a number between 0 and 1, such as 0.2, or a file");
  return number.value;
}

// Leaves the others in `rows`, in their order.
std::vector<Index> take_out(std::vector<Index>& rows, double share, Random random) {
  const Index size = std::ssize(rows);
  const auto wanted = static_cast<Index>(std::round(share * static_cast<double>(size)));
  std::vector<Index> taken, left;
  const std::vector<Index> chosen = random_subset(size, std::min(wanted, size - 1), random);
  for (Index k = 0; k < size; ++k)
    (std::ranges::binary_search(chosen, k) ? taken : left).push_back(rows[static_cast<std::size_t>(k)]);
  rows = std::move(left);
  return taken;
}

}  // namespace

std::vector<Option> validation_options() {
  return {
      text_option("validation", std::nullopt,
                  "what to choose settings by: a share of each client's rows, such as 0.2, which training "
                  "then does not see, or a file; `doc2s tune --by accuracy` needs it")
          .as_path(find_data_path)};
}

std::string validation_data(const Settings& problem) {
  if (!problem.has("validation") || share_in(problem)) return "";
  const std::string& data = problem.text("validation");
  if (problem.has("test") && problem.text("test") == data)
    throw Error("this is the test set, which must not choose what it judges", problem.where("validation"),
                "give other rows, or a share of each client's such as 0.2");
  return data;
}

Shares hold_back(const ProblemRequest& request, Shares& shares) {
  const auto share = share_in(request.problem);
  Shares held(share ? shares.size() : 0);
  for (std::size_t client = 0; client < held.size(); ++client)
    if (!shares[client].empty())
      held[client] = take_out(shares[client], *share,
                              Random(request.seed, Purpose::validation, static_cast<int>(client)));
  return held;
}

void refuse_validation(const Settings& problem, const std::string& why) {
  if (problem.has("validation")) throw Error(why, problem.where("validation"), "leave it out");
}

}  // namespace doc2s
