#include "measurement.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/version.hpp"
#include "problems/kinds.hpp"
#include "scaling.hpp"
#include "theorem.hpp"

namespace doc2s {

const std::vector<Measurement>& measurements() {
  static const std::vector<Measurement> all = {scaling_measurement(), theorem_measurement()};
  return all;
}

std::vector<Measurement> measurements_named(const std::string& word) {
  std::vector<Measurement> chosen;
  for (const auto& one : measurements())
    if (word == "all" || word == one.name) chosen.push_back(one);
  return chosen;
}

JsonObject measurement_json(const std::string& name, const std::string& title, Scale scale) {
  std::vector<std::string> seeds;
  for (const int seed : shown_seeds()) seeds.push_back(std::to_string(seed));
  JsonObject object;
  object.add("study", name).add("title", title).add("scale", name_of(scale)).add("version", version());
  object.add_raw("seeds", "[" + joined(seeds) + "]");
  return object;
}

std::string json_list(const std::vector<std::string>& objects) {
  return objects.empty() ? "[]" : "[\n    " + joined(objects, ",\n    ") + "\n  ]";
}

std::string trajectory_of(const SweepCase& one) {
  const std::string summary = one.directory + "/summary.json";
  try {
    return nlohmann::json::parse(read_whole(summary)).at("trajectory").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    throw Error("is damaged", summary, "remove that folder, and the case is run again");
  }
}

TheoryParameters theory_of(const Config& config) {
  Processes alone;
  Threads threads(1);
  const Network network = make_network(config);
  const ClientRange all{0, network.clients()};
  const auto made = make_problem<double>(config, all, alone);
  const ProblemConstants constants = constants_of(config, *made.problem, all, alone, threads);
  return theory_parameters(config, constants, network, made.problem->dimension());
}

}  // namespace doc2s
