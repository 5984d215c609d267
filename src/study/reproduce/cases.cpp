#include <fmt/format.h>

#include "base/text.hpp"
#include "study.hpp"

namespace doc2s {

namespace {

// "DOC²S, η = 0.01, D = 0.05"
std::string full_label(const Line& line, const Changes& setting) {
  std::vector<std::string> parts = {line.label};
  for (const auto& [key, value, where] : setting)
    parts.push_back((key == "method.eta" ? "η" : key.substr(key.rfind('.') + 1)) + " = " + value);
  return joined(parts);
}

// A record every whole number of epochs would always see the same phase of them: one iteration earlier, then.
Config with_records_at_all_phases(const Study& study, Changes changes) {
  const Config config = parse_configs(study.config, study.name, changes).front();
  const Index every = config.run.integer("record_every");
  if (!config.method.has("T") || every % config.method.integer("T") != 0 || every == 1) return config;
  changes.push_back({"run.record_every", std::to_string(every - 1), "reproduce"});
  return parse_configs(study.config, study.name, changes).front();
}

SweepCase make_case(const Study& study, const Line& line, const Changes& setting, int seed,
                    const std::string& folder) {
  Changes changes = line.changes;
  changes.insert(changes.end(), setting.begin(), setting.end());
  const Change seeded{"seed", std::to_string(seed), "reproduce"};
  changes.push_back(seeded);
  changes.push_back({"method.label", "\"" + full_label(line, setting) + "\"", "reproduce"});
  Changes named = setting;
  named.push_back(seeded);
  return {fmt::format("{} {}", line.label, name_of(named)), with_records_at_all_phases(study, changes),
          fmt::format("{}/{}/{}", folder, line.folder, name_of(named))};
}

}  // namespace

const std::vector<int>& shown_seeds() {
  static const std::vector<int> seeds = {1, 2, 3};
  return seeds;
}

std::vector<SweepCase> tuning_cases(const Study& study, const Line& line, const std::string& root) {
  std::vector<SweepCase> cases;
  for (const auto& setting : combinations(line.grid))
    cases.push_back(make_case(study, line, setting, tuning_seed, root + "/" + study.name + "/tuning"));
  return cases;
}

std::vector<SweepCase> shown_cases(const Study& study, const Line& line, const Changes& setting,
                                   const std::string& root) {
  std::vector<SweepCase> cases;
  for (const int seed : shown_seeds())
    cases.push_back(make_case(study, line, setting, seed, root + "/" + study.name + "/runs"));
  return cases;
}

}  // namespace doc2s
