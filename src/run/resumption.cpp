#include "resumption.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "config_difference.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/text.hpp"
#include "doc2s/data/files.hpp"

namespace doc2s {

void check_resumable(const std::string& directory, const Checkpoints::Found& found, const Config& config) {
  if (found.iteration < 0 && !found.refused.empty())
    throw Error("no checkpoint can be used: " + joined(found.refused, "; "), directory,
                fmt::format("to begin again: doc2s run {0}/config.toml --out {0} --force", directory));
  const auto text = found.texts.find("config");
  const std::string before =
      text != found.texts.end() ? text->second : read_whole(directory + "/config.toml");
  const std::vector<std::string> other =
      differences(parse_configs(before, "the run's config").front(), config);
  if (!other.empty())
    throw Error("the run has another config: " + joined(other), directory,
                "only budgets, records and paths may change; start a new run for the rest");
}

void check_trace_goes_on(const Checkpoints::Texts& texts, const std::string& asked) {
  const auto found = texts.find("trace");
  const std::string had = found == texts.end() ? "" : found->second;
  if (had == (asked.empty() ? "" : std::filesystem::absolute(asked).string())) return;
  if (had.empty()) throw Error("the run began without a trace", "--trace " + asked, "leave it out");
  throw Error("the run writes a trace, which goes on too", had, "add --trace " + had);
}

}  // namespace doc2s
