// SPDX-License-Identifier: Apache-2.0
#include "measurement.hpp"

#include "problems/kinds.hpp"
#include "scaling.hpp"
#include "theorem.hpp"
#include "travel.hpp"

namespace doc2s {

const std::vector<Measurement>& measurements() {
  static const std::vector<Measurement> all = [] {
    std::vector<Measurement> list = {scaling_measurement(), theorem_measurement()};
    for (Measurement& one : travel_measurements()) list.push_back(std::move(one));
    return list;
  }();
  return all;
}

std::vector<Measurement> measurements_named(const std::string& word) {
  std::vector<Measurement> chosen;
  for (const auto& one : measurements())
    if (word == one.name || one.name.starts_with(word + "-") || (word == "all" && one.of_paper))
      chosen.push_back(one);
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
