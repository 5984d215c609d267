// SPDX-License-Identifier: Apache-2.0
#include "recorded_run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/long_work.hpp"
#include "doc2s/base/error.hpp"
#include "dumped.hpp"
#include "metrics_file.hpp"
#include "thinning.hpp"

namespace doc2s {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

Json read_object(const fs::path& path, std::vector<std::string>& notes) {
  std::error_code unknown;
  if (!fs::exists(path, unknown)) return nullptr;
  bool shallow = true;  // deeper nesting than ours is ignored: copying and writing it would recurse as deep
  const auto look = [&](int depth, Json::parse_event_t, const Json&) {
    return shallow = shallow && depth < 64;
  };
  Json object = Json::parse(text_of(path), look, /*allow_exceptions=*/false);
  if (shallow && object.is_object()) return object;
  notes.push_back(path.filename().string() + " is damaged and was skipped");
  return nullptr;
}

void erase_key(Json& object, const char* section, const char* key) {
  if (object.contains(section) && object[section].is_object()) object[section].erase(key);
}

std::string alike_by_setting(Json setting) {
  for (const char* name : {"label", "seed", "graph", "split"}) setting.erase(name);
  erase_key(setting, "run", "threads");
  erase_key(setting, "method", "label");
  return dumped(setting);
}

// For older runs: the config without the lines that may differ between seeds.
std::string alike_by_config(const fs::path& directory) {
  std::istringstream config(text_of(directory / "config.toml"));
  std::string alike;
  for (std::string line; std::getline(config, line);)
    if (!line.starts_with("seed ") && !line.starts_with("threads ")) alike += line + "\n";
  return alike;
}

std::optional<Index> seed_in(const Json& object) {
  if (!object.is_object() || !object.contains("seed") || !object["seed"].is_number_integer()) return {};
  return object["seed"].get<Index>();
}

std::string name_of(const fs::path& directory) {
  const fs::path full = fs::weakly_canonical(directory);
  return full.has_filename() ? full.filename().string() : full.string();
}

void read_records(RecordedRun& run, const fs::path& path) {
  std::error_code unknown;
  const bool there = fs::exists(path, unknown);
  Thinning thinning(there ? count_lines(path) : 0);
  LineCount count;
  if (there)
    count =
        for_each_record(path, [&](Index position, const Record& record) { thinning.add(position, record); });
  run.records = count.records;
  run.values = thinning.finish();
  if (count.cut) run.notes.push_back("the last line of metrics.jsonl is cut off and was skipped");
  if (count.damaged > 0)
    run.notes.push_back(fmt::format("{} damaged lines of metrics.jsonl were skipped", count.damaged));
  if (count.records == 0) run.notes.push_back("metrics.jsonl holds no record");
}

// What the run said of its end.
void add_notes_of(const Json& summary, std::vector<std::string>& notes) {
  if (!summary.is_object() || !summary.contains("notes") || !summary["notes"].is_array()) return;
  for (const Json& note : summary["notes"])
    if (note.is_string()) notes.push_back(note.get<std::string>());
}

RecordedRun read_run(const fs::path& directory) {
  RecordedRun run;
  run.directory = directory.string();
  read_records(run, directory / "metrics.jsonl");
  const Json setting = read_object(directory / "setting.json", run.notes);
  const Json summary = read_object(directory / "summary.json", run.notes);
  if (summary.is_null())
    run.notes.push_back("there is no summary: the run is still in progress or was interrupted");
  if (!setting.is_null()) run.setting = dumped(setting);
  if (!summary.is_null()) run.summary = dumped(summary);
  add_notes_of(summary, run.notes);
  run.certificates = saved_certificates(run.directory, run.notes);
  run.alike = setting.is_null() ? alike_by_config(directory) : alike_by_setting(setting);
  run.seed = seed_in(setting) ? seed_in(setting) : seed_in(summary);
  const bool named = setting.is_object() && setting.contains("label") && setting["label"].is_string();
  run.label = named ? setting["label"].get<std::string>() : "";
  if (run.label.empty()) run.label = name_of(directory);
  return run;
}

bool holds_a_run(const fs::path& directory) {
  std::error_code unknown;
  return fs::exists(directory / "metrics.jsonl", unknown) || fs::exists(directory / "summary.json", unknown);
}

std::set<fs::path> runs_below(const std::string& name) {
  std::error_code unknown;
  if (name.empty() || !fs::exists(name, unknown))
    throw Error("there is no such directory", name.empty() ? "report" : name,
                "give directories that doc2s run wrote");
  if (!fs::is_directory(name, unknown))
    throw Error("is not a directory", name, "give the directory that the run wrote, not one of its files");
  std::set<fs::path> found;
  if (holds_a_run(name)) found.insert(name);
  const auto readable = fs::directory_options::skip_permission_denied;
  for (const auto& entry : fs::recursive_directory_iterator(name, readable))
    if (entry.is_directory(unknown) && holds_a_run(entry.path())) found.insert(entry.path());
  if (found.empty())
    throw Error("holds no run: there is neither a metrics.jsonl nor a summary.json in it or below it", name,
                "give directories that doc2s run wrote");
  return found;
}

}  // namespace

std::vector<std::string> run_directories(const std::string& name) {
  std::vector<std::string> names;
  for (const fs::path& directory : runs_below(name)) names.push_back(directory.string());
  return names;
}

std::vector<RecordedRun> read_runs(const std::vector<std::string>& directories) {
  std::vector<RecordedRun> runs;
  std::set<fs::path> seen;
  const LongWork work("reading the runs");
  for (const auto& name : directories)
    for (const auto& directory : runs_below(name))
      if (seen.insert(fs::canonical(directory)).second) {
        work.go_on();
        runs.push_back(read_run(directory));
      }
  if (runs.empty()) throw Error("no directory is given", "report", "give directories that doc2s run wrote");
  return runs;
}

}  // namespace doc2s
