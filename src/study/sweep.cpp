#include "sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "run/run_directory.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

constexpr const char* case_file = "case.toml";  // the config before data and network filled in what was open

const std::vector<std::string> measures = {"loss_mean_point", "loss_clients", "loss_worst", "consensus",
                                           "accuracy"};
const std::vector<std::string> counts = {
    "iteration", "samples",    "evaluations", "computation_rounds", "communication_rounds",
    "bytes",     "wire_bytes", "seconds"};

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

void require_one_of(const std::string& word, const std::vector<std::string>& names,
                    const std::string& where) {
  if (std::find(names.begin(), names.end(), word) == names.end()) refuse_name(word, names, where);
}

std::string status_in(const std::string& path) {
  try {
    return nlohmann::json::parse(read_whole(path)).value("status", "");
  } catch (const nlohmann::json::exception&) {
    throw Error("is damaged", path, "remove that folder, and the case is run again");
  }
}

// NaN where there is none.
double number_in(const nlohmann::json& record, const std::string& name) {
  const auto found = record.find(name);
  return found != record.end() && found->is_number() ? found->get<double>() : std::nan("");
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
  std::vector<std::string> words;
  for (const auto& change : combination)
    words.push_back(change.key.substr(change.key.rfind('.') + 1) + "=" + change.value);
  return words.empty() ? "as-given" : joined(words, ",");
}

SweepAxis sweep_axis(const std::string& words) {
  const Change change = change_from(words);
  SweepAxis axis{change.key, parts_of(change.value, ',')};
  for (const auto& value : axis.values)
    if (value.empty())
      throw Error("a value is empty", "--over " + words, "for example --over method.eta=0.001,0.005");
  return axis;
}

std::vector<SweepCase> sweep_cases(const std::string& config_path, const Changes& changes,
                                   const std::vector<SweepAxis>& axes, const std::string& root) {
  std::vector<SweepCase> cases;
  for (const auto& combination : combinations(axes)) {
    Changes all = changes;
    all.insert(all.end(), combination.begin(), combination.end());
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

std::string status_of(const SweepCase& one) {
  const std::string summary = one.directory + "/summary.json";
  if (!fs::exists(one.directory + "/" + case_file) || !fs::exists(summary) || holds_another(one)) return "";
  return status_in(summary);
}

bool is_done(const SweepCase& one) {
  if (holds_another(one)) throw Error("holds the run of another config", one.directory, "give another --out");
  const std::string status = status_of(one);
  return !status.empty() && status != "interrupted";
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

Yardstick yardstick(const std::string& measure, const std::string& at) {
  require_one_of(measure, measures, "--by");
  if (at.empty()) return {measure, "", 0};
  const auto equals = at.find('=');
  const std::string count = at.substr(0, equals);
  require_one_of(count, counts, "--at " + at);
  char* end = nullptr;
  const std::string number = equals == at.npos ? "" : at.substr(equals + 1);
  const double most = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !(most >= 0))
    throw Error("is not of the form count=number", "--at " + at, "for example --at samples=4000");
  return {measure, count, most};
}

SweepResult result_of(const SweepCase& one, const Yardstick& by) {
  SweepResult result{std::nan(""), 0};
  std::ifstream file(one.directory + "/metrics.jsonl");
  for (std::string line; std::getline(file, line);) {
    const auto record = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!record.is_object()) break;  // a line that was cut
    if (!by.count.empty() && number_in(record, by.count) > by.most) break;
    const auto iteration = record.find("iteration");
    const bool counted = iteration != record.end() && iteration->is_number_integer();
    result = {number_in(record, by.measure), counted ? iteration->get<Index>() : 0};
  }
  return result;
}

}  // namespace doc2s
