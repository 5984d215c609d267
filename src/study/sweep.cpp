// SPDX-License-Identifier: Apache-2.0
#include "sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

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
  for (const auto& value : axis.values) {
    if (value.empty())
      throw Error("a value is empty", "--over " + text, "for example --over method.eta=0.001,0.005");
    if (std::ranges::count(axis.values, value) > 1)
      throw Error(fmt::format("the value {} is given twice", value), "--over " + text, "give each once");
  }
  return axis;
}

namespace {

Changes without_seed(Changes combination) {
  std::erase_if(combination, [](const Change& change) { return change.key == "seed"; });
  return combination;
}

}  // namespace

std::vector<SweepCase> sweep_cases(const std::string& config_path, const Changes& changes,
                                   const std::vector<SweepAxis>& axes, const std::string& root) {
  std::vector<SweepCase> cases;
  for (const auto& combination : combinations(axes)) {
    Changes all = changes;
    append(all, combination);
    for (const auto& config : read_configs(config_path, all)) {
      const std::string label = config.method.text("label");
      cases.push_back({label + "/" + name_of(combination), config,
                       root + "/" + folder_name(label) + "/" + folder_name(name_of(combination)),
                       label + "/" + name_of(without_seed(combination))});
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

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_news{100};

}  // namespace

void run_cases(const std::vector<SweepCase>& cases, int jobs, const std::atomic<bool>& stop,
               const std::function<void(const SweepCase&, const Summary&)>& told,
               const std::function<void(double done)>& going) {
  Threads workers(jobs);
  const int threads_each = std::max(1, Threads().count() / workers.count());
  std::mutex telling;
  double done = 0;  // cases, and shares of those under way
  Clock::time_point next{};
  workers.each(static_cast<Index>(cases.size()), [&](Index k) {
    if (stop) return;
    RunOptions options;
    options.stop = &stop;
    double share = 0;  // of this one
    const auto come_to = [&](double now) {
      done += now - std::exchange(share, now);
      if (!going || Clock::now() < next) return;
      next = Clock::now() + between_news;
      going(done);
    };
    if (going)
      options.on_progress = [&](const Progress& progress) {
        const std::lock_guard lock(telling);
        come_to(std::min(1.0, progress.share));
      };
    try {
      const Summary summary = run_case(cases[k], options, threads_each);
      const std::lock_guard lock(telling);
      told(cases[k], summary);
      come_to(1);
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
