// SPDX-License-Identifier: Apache-2.0
#include "route.hpp"

#include <fmt/format.h>

#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"
#include "tour.hpp"

namespace doc2s {

namespace {

// With one traveller the clients are those that DOC²S samples.
Random place_of_chance(std::uint64_t seed, int traveller, Tick tick) {
  return {seed, Purpose::sampled_client, static_cast<std::uint32_t>(traveller), tick};
}

class UniformRoute : public Route {
 public:
  UniformRoute(const Graph& graph, std::uint64_t seed) : graph_(graph), seed_(seed) {}

  int start(int traveller) const override { return drawn(traveller, 0); }
  Leg next(int traveller, int from, Tick tick) const override {
    const int to = drawn(traveller, tick);
    return {to, graph_.hops(from, to)};
  }
  double mean_hops() const override {
    return graph_.shape().closed_form() ? mean_of_shape() : mean_of_pairs();
  }

 private:
  // Σ_h (share of ordered pairs that are more than h apart)
  double mean_of_shape() const {
    const double pairs = static_cast<double>(graph_.clients()) * graph_.clients();
    double mean = 0;
    for (int h = 0; h < graph_.diameter(); ++h)
      mean += 1 - static_cast<double>(graph_.shape().pairs_within(h)) / pairs;
    return mean;
  }

  double mean_of_pairs() const {
    double sum = 0;
    for (int i = 0; i < graph_.clients(); ++i)
      for (const int hops : graph_.hops_from(i)) sum += hops;
    return sum / graph_.clients() / graph_.clients();
  }

  int drawn(int traveller, Tick tick) const {
    return static_cast<int>(place_of_chance(seed_, traveller, tick).below(graph_.clients()));
  }

  const Graph& graph_;
  std::uint64_t seed_;
};

class TourRoute : public Route {
 public:
  TourRoute(const Graph& graph, int travellers, std::uint64_t seed) : tour_(graph), n_(graph.clients()) {
    Index place = -static_cast<Index>(place_of_chance(seed, 0, 0).below(n_));  // the first is at place 0
    for (int client = 0; std::ssize(starts_) < travellers; client = tour_.next(client), ++place)
      while (std::ssize(starts_) < travellers && place == std::ssize(starts_) * Index{n_} / travellers)
        starts_.push_back(client);
  }

  int start(int traveller) const override { return starts_[traveller]; }
  Leg next(int, int from, Tick) const override { return {tour_.next(from), tour_.hops(from)}; }
  double mean_hops() const override {
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += tour_.hops(i);
    return sum / n_;
  }

 private:
  Tour tour_;
  int n_;
  std::vector<int> starts_;
};

class WalkRoute : public Route {
 public:
  WalkRoute(const Weights& P, std::uint64_t seed) : P_(P), seed_(seed) {}

  int start(int traveller) const override {
    return static_cast<int>(place_of_chance(seed_, traveller, 0).below(P_.clients()));
  }
  Leg next(int traveller, int from, Tick tick) const override {
    double left = place_of_chance(seed_, traveller, tick).uniform();
    int to = from;  // also where rounding leaves a little
    for (const auto& [client, weight] : P_.row(from))
      if ((left -= weight) < 0) {
        to = client;
        break;
      }
    return {to, to == from ? 0 : 1};
  }
  double mean_hops() const override {
    double stays = 0;
    for (int i = 0; i < P_.clients(); ++i) stays += P_.at(i, i);
    return 1 - stays / P_.clients();
  }

 private:
  const Weights& P_;
  std::uint64_t seed_;
};

}  // namespace

const std::vector<std::string>& route_names() {
  static const std::vector<std::string> names = {"uniform", "tour", "walk"};
  return names;
}

std::unique_ptr<Route> make_route(const std::string& kind, const Network& network, int travellers,
                                  std::uint64_t seed) {
  if (kind == "uniform") return std::make_unique<UniformRoute>(network.graph, seed);
  if (kind == "tour") return std::make_unique<TourRoute>(network.graph, travellers, seed);
  if (kind == "walk") return std::make_unique<WalkRoute>(network.P, seed);
  refuse_name(kind, route_names(), "method.route");
}

}  // namespace doc2s
