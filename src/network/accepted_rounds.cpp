// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/network/network.hpp"

namespace doc2s {

namespace {

constexpr int most_rounds_tried = 64;

bool contracts(double rho) { return rho < 1 - 1e-12; }

// Four digits; just below 1, as 1 minus the difference.
std::string shown(double rho) {
  return rho < 1 && rho > 0.999 ? fmt::format("1 − {:.2g}", 1 - rho) : fmt::format("{:.4g}", rho);
}

void add_if_it_helps(std::vector<std::string>& remedies, const char* remedy, const Spectrum& spectrum,
                     Rounds rounds) {
  const double rho = spectrum.contraction_bound(rounds);
  if (contracts(rho)) remedies.push_back(fmt::format("{}, ρ = {})", remedy, shown(rho)));
}

// Those of the three remedies that work here.
std::vector<std::string> remedies_for(const Network& network, const std::string& gossip, int count) {
  std::vector<std::string> remedies;
  for (int more = count + 1; more <= most_rounds_tried && remedies.empty(); ++more)
    add_if_it_helps(remedies, fmt::format("more rounds (method.R = {}", more).c_str(), network.spectrum,
                    network.rounds(gossip, more));
  const Weights slower = lazy(network.P);
  const Network lazier{network.graph, slower, network.spectrum.made_lazy(slower)};
  add_if_it_helps(remedies, "lazy weights (network.lazy = true", lazier.spectrum,
                  lazier.rounds(gossip, count));
  if (gossip != "plain")
    add_if_it_helps(remedies, "plain gossip (method.gossip = \"plain\"", network.spectrum,
                    network.rounds("plain", count));
  return remedies;
}

}  // namespace

std::vector<std::string> gossip_kinds() { return {"chebyshev", "chebyshev-interval", "plain"}; }

Rounds Network::rounds(const std::string& gossip, int count) const {
  if (gossip == "plain") return {count, 0};
  if (gossip == "chebyshev") return {count, spectrum.phi()};
  if (gossip == "chebyshev-interval") return {count, 0, spectrum.interval()};
  throw Error(fmt::format("\"{}\" is not known", gossip), "method.gossip",
              suggestion(gossip, gossip_kinds()));
}

Rounds Network::accepted_rounds(const std::string& gossip, int count, const std::string& where) const {
  if (change) return rounds("plain", count);
  const Rounds asked = rounds(gossip, count);
  if (contracts(spectrum.contraction_bound(asked))) return asked;
  const double rho = spectrum.contraction(asked);
  if (contracts(rho)) return asked;
  const auto remedies = remedies_for(*this, gossip, count);
  throw Error(fmt::format("R = {} does not contract: {} gossip has ρ_R = {}, which must be below 1", count,
                          gossip, shown(rho)),
              where,
              remedies.empty()
                  ? fmt::format("γ = {:.3g} is too small: add edges to the graph", spectrum.gamma())
                  : "remedies: " + joined(remedies, ", or "));
}

}  // namespace doc2s
