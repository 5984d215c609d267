// SPDX-License-Identifier: Apache-2.0
#include "resumption.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/text.hpp"
#include "config/config_difference.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"
#include "ended_run.hpp"

namespace doc2s {

namespace {

bool has_records(const std::string& directory) {
  std::error_code absent;
  const auto size = std::filesystem::file_size(directory + "/metrics.jsonl", absent);
  return !absent && size > 0;
}

void check_checkpoints(const std::string& directory, const Checkpoints::Found& found) {
  if (found.iteration >= 0) return;
  const std::string anew =
      fmt::format("to begin again: doc2s run {0}/config.toml --out {0} --force", directory);
  if (!found.refused.empty())
    throw Error("no checkpoint can be used: " + joined(found.refused, "; "), directory, anew);
  const auto ended = summary_of_ended(directory);
  if (!found.at_start && has_records(directory) && !(ended && ended->checkpoint < 0))
    throw Error("has records, but its checkpoints are lost", directory, anew);
}

}  // namespace

void check_resumable(const std::string& directory, const Checkpoints::Found& found, const Config& config) {
  check_checkpoints(directory, found);
  const auto text = found.texts.find("config");
  const std::string own = directory + "/config.toml";
  const std::string before = text != found.texts.end()      ? text->second
                             : std::filesystem::exists(own) ? read_whole(own)
                                                            : "";
  if (before.empty()) return;  // it was ended before it began
  const std::vector<std::string> other =
      differences(parse_configs(before, "the run's config").front(), config);
  if (!other.empty())
    throw Error("the run has another config: " + joined(other), directory,
                "only budgets, records and paths may change; start a new run for the rest");
}

namespace {

void check_length(const Checkpoints::Texts& texts, const std::string& key, const std::string& path) {
  const auto wanted = texts.find(key);
  if (wanted == texts.end() || path.empty()) return;
  std::error_code absent;
  const auto there = std::filesystem::file_size(path, absent);
  if (absent || there < std::strtoull(wanted->second.c_str(), nullptr, 10))
    throw Error(
        fmt::format("is truncated: {} bytes, expected at least {}", absent ? 0 : there, wanted->second),
        path);
}

}  // namespace

void check_records(const Checkpoints::Texts& texts, const std::string& directory) {
  check_length(texts, "metrics_bytes", directory + "/metrics.jsonl");
}

void check_trace(const Checkpoints::Texts& texts, const std::string& trace) {
  check_length(texts, "trace_bytes", trace);
}

void check_trace_goes_on(const Checkpoints::Texts& texts, const std::string& asked) {
  const auto had = texts.find("trace");
  if (had == texts.end() && !asked.empty())
    throw Error("the run began without a trace", "--trace " + asked, "leave it out");
  if (had != texts.end() && asked.empty())
    throw Error("the run writes a trace, which must be continued too", had->second,
                "add --trace " + had->second);
}

}  // namespace doc2s
