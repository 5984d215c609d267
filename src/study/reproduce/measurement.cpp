#include "measurement.hpp"

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
