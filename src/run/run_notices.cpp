// SPDX-License-Identifier: Apache-2.0
#include "run_notices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/config_difference.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

std::string what_ended_it(const Config& config, const std::string& stopped_by) {
  const std::string prefix = "run.";
  if (!stopped_by.starts_with(prefix))
    return fmt::format("it has come to {} already; to go on: --set method.{}=NUMBER, larger than before",
                       stopped_by, config.method.has("iterations") ? "iterations" : "K");
  const Value& most = config.run.value(stopped_by.substr(prefix.size()));
  const auto* whole = std::get_if<std::int64_t>(&most);
  const Value more = whole ? Value(2 * *whole) : Value(2 * std::get<double>(most));
  return fmt::format("{0} = {1} is reached; to go on: --set {0}={2}", stopped_by, to_toml(most),
                     to_toml(more));
}

std::string points_are_not_kept(Index clients, Index dimension) {
  return fmt::format(
      "the points of {} clients are not kept, as they would be {:.2g} numbers: loss_clients, "
      "loss_worst and consensus are null, and output.npy has one row",
      clients, static_cast<double>(clients) * static_cast<double>(dimension));
}

void refuse_to_be_shorter(const Config& config, Index length, Index iteration, const std::string& directory) {
  Index end = length;
  if (config.run.has("budget.iterations")) end = std::min(end, config.run.integer("budget.iterations"));
  if (iteration > end)
    throw Error(fmt::format("is at iteration {} already, and would end at {}", iteration, end), directory,
                fmt::format("give a larger method.{} or run.budget.iterations, or start a new run",
                            config.method.has("iterations") ? "iterations" : "K"));
}

void refuse_different_runs(const Config& config, const RunOptions& options, Processes& processes) {
  const auto all =
      processes.gather(same_on_all_machines(config) + (options.trace.empty() ? "" : "and a trace") +
                       (options.resume ? "and goes on" : "") + (options.on_record ? "and a callback" : "") +
                       (options.directory.empty() ? "" : "and files"));
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error("the process of rank " + std::to_string(rank) +
                      " has another config, or other options, than the first",
                  "", "start all processes with the same arguments and config");
}

}  // namespace doc2s
