// SPDX-License-Identifier: Apache-2.0
#include "pace.hpp"

#include <stdexcept>

namespace doc2s {

namespace {

// Large batches of b' estimates every q iterations, small ones of b in between.
double mean_over_period(const Settings& method, double large, double small) {
  const double q = static_cast<double>(method.integer("q"));
  return (large + (q - 1) * small) / q;
}

double estimates_a_client(const Config& config) {
  if (config.method.text("name") != "dgfm-plus") return 1;
  return mean_over_period(config.method, static_cast<double>(config.method.integer("b_prime")),
                          static_cast<double>(config.method.integer("b")));
}

double callers(const Config& config) {
  if (config.method.text("name") == "doc2s") return 1;
  if (config.method.has("travellers")) return static_cast<double>(config.method.integer("travellers"));
  return static_cast<double>(config.clients.integer("count"));
}

double rounds_of_gossip(const Settings& method) {
  const std::string name = method.text("name");
  if (name == "doc2s") return 2 * static_cast<double>(method.integer("R"));
  if (name == "dgfm-plus")
    return mean_over_period(method, 1 + static_cast<double>(method.integer("rounds")), 2);
  if (name == "me-dol" || name == "dgfm") return 2;
  throw std::logic_error("no pace for the method " + name);
}

}  // namespace

double pace(const Config& config, const std::string& axis) {
  if (axis == "communication_rounds") return rounds_of_gossip(config.method);
  if (axis == "computation_rounds") return 1;
  if (axis != "samples") throw std::logic_error("no pace for " + axis);
  return callers(config) * estimates_a_client(config) * static_cast<double>(config.problem.integer("batch"));
}

}  // namespace doc2s
