#pragma once
#include <string>
#include <vector>

#include "doc2s/base/error.hpp"
#include "doc2s/base/text.hpp"
#include "doc2s/network/weights.hpp"

namespace doc2s {

// Each throws Error with the figure where the answer is no.
void check_clients(int clients);  // n ≥ 1
void check_connected(const Graph& graph, const std::string& where);
void check_doubly_stochastic(const Weights& P,
                             const std::string& where);  // symmetric, sums of one, none negative
void check_pattern(const Weights& P, const Graph& graph,
                   const std::string& where);  // positive on edges and diagonal

constexpr double weights_tolerance = 1e-9;

// The kind that the setting `key` names.
template <class AKind>
const AKind& kind_named(const std::vector<AKind>& kinds, const Settings& settings, const std::string& key) {
  std::vector<std::string> names;
  for (const auto& kind : kinds) {
    if (kind.name == settings.text(key)) return kind;
    names.push_back(kind.name);
  }
  throw Error("\"" + settings.text(key) + "\" is not known", settings.where(key),
              suggestion(settings.text(key), names));
}

}  // namespace doc2s
