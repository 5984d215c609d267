// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <vector>

#include "doc2s/algorithms/kinds.hpp"
#include "doc2s/base/random.hpp"
#include "doc2s/network/network.hpp"
#include "doc2s/run/configs.hpp"
#include "doc2s/transport/in_process.hpp"

// What several tests build on: networks by name, a smooth problem with known answers, a world without files.
namespace doc2s::testing {

inline Network network_of(const std::string& graph, int clients, bool lazy = false, Changes more = {}) {
  more.push_back({"clients.count", std::to_string(clients), "test"});
  more.push_back({"network.graph", graph, "test"});
  more.push_back({"network.weights", "metropolis", "test"});
  if (lazy) more.push_back({"network.lazy", "true", "test"});
  const Config config = default_config(more);
  return make_network(config);
}

inline const std::vector<std::string>& graph_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = names_of(graph_kinds());
    std::erase(all, "file");
    return all;
  }();
  return names;
}

// F_i(x; ξ) = ½ Σ_j a_ij (x_j − b_ξj)², a different curvature for each client and coordinate. Smooth; the
// ball's and the sphere's smoothing leave its gradient Σ_j a_ij (x_j − b_ξj) as it is.
template <class Real>
class Quadratic : public Problem<Real> {
 public:
  Quadratic(int clients, Index dimension, Index samples) : n_(clients), d_(dimension), m_(samples) {
    a_.resize(n_ * d_);
    b_.resize(n_ * m_ * d_);
    Random(77, Purpose::synthetic, 0).template normals<double>(0, a_);
    Random(77, Purpose::synthetic, 1).template normals<double>(0, b_);
  }

  int clients() const override { return n_; }
  Index dimension() const override { return d_; }
  Index samples(int) const override { return m_; }
  double value(int client, std::span<const Index> batch, std::span<const Real> x,
               std::span<Real> gradient) const override {
    std::vector<double> g(d_);
    double value = 0;
    for (const Index sample : batch)
      for (Index j = 0; j < d_; ++j) {
        const double a = 1 + 0.3 * a_[client * d_ + j], off = x[j] - b_[(client * m_ + sample) * d_ + j];
        value += 0.5 * a * off * off / static_cast<double>(batch.size());
        g[j] += a * off / static_cast<double>(batch.size());
      }
    for (Index j = 0; j < std::ssize(gradient); ++j) gradient[j] = static_cast<Real>(g[j]);
    return value;
  }

 private:
  int n_;
  Index d_, m_;
  std::vector<double> a_, b_;
};

// The quadratic, which keeps what it was asked, in order.
class Listening : public Quadratic<double> {
 public:
  using Quadratic::Quadratic;
  double value(int client, std::span<const Index> batch, std::span<const double> x,
               std::span<double> gradient) const override {
    batches.emplace_back(batch.begin(), batch.end());
    points.emplace_back(x.begin(), x.end());
    return Quadratic::value(client, batch, x, gradient);
  }
  mutable std::vector<std::vector<Index>> batches;
  mutable std::vector<std::vector<double>> points;
};

// Everything a method needs, without a config file.
template <class Real>
struct SmallWorld {
  SmallWorld(Network net, Index dimension, std::uint64_t seed, bool first_order = true, int thread_count = 1)
      : network(std::move(net)),
        threads(thread_count),
        problem(network.clients(), dimension, 20),
        transport(network.clients(), threads),
        oracle(first_order ? make_first_order<Real>(problem, {2, 0.1, seed})
                           : make_zeroth_order<Real>(problem, {2, 0.1, seed})),
        peers(network, transport),
        world(peers, *oracle, dimension, seed) {}

  Network network;
  Threads threads;
  Quadratic<Real> problem;
  InProcess<Real> transport;
  std::unique_ptr<Oracle<Real>> oracle;
  Peers<Real> peers;
  World<Real> world;
};

inline Settings doc2s_settings(std::int64_t K, std::int64_t T, std::int64_t R, double eta, double D,
                               const std::string& gossip = "chebyshev") {
  Settings method("method");
  method.set("K", K);
  method.set("T", T);
  method.set("R", R);
  method.set("eta", eta);
  method.set("D", D);
  method.set("gossip", gossip);
  return method;
}

}  // namespace doc2s::testing
