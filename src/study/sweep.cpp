#include "sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/threads.hpp"
#include "run/run_directory.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

constexpr const char* case_file = "case.toml";  // the config before data and network filled in what was open

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

}  // namespace

std::vector<Changes> combinations(const std::vector<SweepAxis>& axes) {
  std::vector<Changes> all(1);
  for (const auto& axis : axes) {
    std::vector<Changes> longer;
    for (const auto& changes : all)
      for (const auto& value : axis.values) {
        longer.push_back(changes);
        longer.back().push_back({axis.key, value, "--over " + axis.key + "=" + value});
      }
    all = std::move(longer);
  }
  return all;
}

std::string name_of(const Changes& combination) {
  std::vector<std::string> parts;
  for (const auto& change : combination)
    parts.push_back(change.key.substr(change.key.rfind('.') + 1) + "=" + change.value);
  return parts.empty() ? "as-given" : joined(parts, ",");
}

Changes changes_from(const std::vector<std::string>& texts) {
  Changes changes;
  for (const auto& text : texts) changes.push_back(change_from(text));
  return changes;
}

void append(Changes& changes, const Changes& more) {
  changes.insert(changes.end(), more.begin(), more.end());
}

SweepAxis sweep_axis(const std::string& text) {
  const Change change = change_from(text);
  SweepAxis axis{change.key, parts_of(change.value, ',')};
  for (const auto& value : axis.values)
    if (value.empty())
      throw Error("a value is empty", "--over " + text, "for example --over method.eta=0.001,0.005");
  return axis;
}

std::vector<SweepCase> sweep_cases(const std::string& config_path, const Changes& changes,
                                   const std::vector<SweepAxis>& axes, const std::string& root) {
  std::vector<SweepCase> cases;
  for (const auto& combination : combinations(axes)) {
    Changes all = changes;
    append(all, combination);
    for (const auto& config : read_configs(config_path, all)) {
      const std::string name = config.method.text("label") + "/" + name_of(combination);
      cases.push_back(
          {name, config,
           root + "/" + folder_name(config.method.text("label")) + "/" + folder_name(name_of(combination))});
    }
  }
  return cases;
}

bool holds_another(const SweepCase& one) {
  const std::string own = one.directory + "/" + case_file;
  return fs::exists(own) && read_whole(own) != written(one.config);
}

Status status_of(const SweepCase& one) {
  const std::string summary = one.directory + "/summary.json";
  if (!fs::exists(one.directory + "/" + case_file) || !fs::exists(summary) || holds_another(one))
    return Status::running;
  try {
    return status_from(nlohmann::json::parse(read_whole(summary)).value("status", ""));
  } catch (const nlohmann::json::exception&) {
    throw Error("is damaged", summary, "remove that folder, and the case is run again");
  }
}

bool is_done(const SweepCase& one) {
  if (holds_another(one)) throw Error("holds the run of another config", one.directory, "give another --out");
  return has_ended(status_of(one));
}

Summary run_case(const SweepCase& one, RunOptions options, int threads) {
  options.directory = one.directory;
  options.resume = has_checkpoint(one.directory);  // is_done() looked whether it is of this config
  options.force = !options.resume;
  if (options.force) {
    const RunDirectory directory(one.directory, RunDirectory::Claim::replacing);
    directory.write(case_file, written(one.config));
  }
  Config config = one.config;
  if (!config.run.given("threads")) config.run.set("threads", std::int64_t{threads});
  return run(config, options);
}

void run_cases(const std::vector<SweepCase>& cases, int jobs, const std::atomic<bool>& stop,
               const std::function<void(const SweepCase&, const Summary&)>& told) {
  Threads workers(jobs);
  const int threads_each = std::max(1, Threads().count() / workers.count());
  std::mutex telling;
  workers.each(static_cast<Index>(cases.size()), [&](Index k) {
    if (stop) return;
    RunOptions options;
    options.stop = &stop;
    try {
      const Summary summary = run_case(cases[k], options, threads_each);
      const std::lock_guard lock(telling);
      told(cases[k], summary);
    } catch (const Interrupted&) {  // before it began: `stop` is set
    }
  });
}

std::string outcome_text(const SweepCase& one, const Summary& summary) {
  const double loss = summary.end["loss_mean_point"];
  return fmt::format("{} {}, loss {}", one.name, to_text(summary.status),
                     std::isfinite(loss) ? fmt::format("{:.4f}", loss) : "not finite");
}

}  // namespace doc2s
