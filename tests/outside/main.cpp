// SPDX-License-Identifier: Apache-2.0
// A user's own program against the installed package: a problem of four functions, minimised by DOC²S on a ring.
#include <cmath>
#include <cstdio>
#include <doc2s/doc2s.hpp>

// f_i(x) = Σ_j |x_j − i/n|: nonsmooth; the clients' mean is least where half of them lie on either side.
class Distances : public doc2s::Problem<double> {
 public:
  explicit Distances(int clients) : clients_(clients) {}
  int clients() const override { return clients_; }
  doc2s::Index dimension() const override { return 3; }
  doc2s::Index samples(int) const override { return 1; }
  double value(int client, std::span<const doc2s::Index>, std::span<const double> x,
               std::span<double> gradient) const override {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double off = x[j] - static_cast<double>(client) / clients_;
      sum += std::abs(off);
      if (!gradient.empty()) gradient[j] = off > 0 ? 1 : -1;
    }
    return sum;
  }

 private:
  int clients_;
};

int run() {
  constexpr int n = 16;
  doc2s::Settings ring("network"), method("method");
  ring.set("graph", std::string("ring"));
  ring.set("neighbours", std::int64_t{3});
  ring.set("weights", std::string("uniform"));
  ring.set("lazy", false);
  const doc2s::MethodKind& doc2s_method = doc2s::method_kinds().front();
  for (const auto& option : doc2s_method.options)
    if (option.fallback) method.set(option.name, *option.fallback);
  method.set("R", std::int64_t{8});

  const doc2s::Network network = doc2s::make_network(n, ring, 1);
  const Distances problem(n);
  doc2s::Threads threads(2);
  doc2s::InProcess<double> transport(n, threads);
  doc2s::Peers<double> peers(network, transport);
  const auto oracle = doc2s::make_first_order<double>(problem, {.batch = 1, .mu = 1e-3, .seed = 1});
  doc2s::World<double> world(peers, *oracle, problem.dimension(), 1);
  const auto algorithm = doc2s_method.make<double>(world, method);

  const std::vector<double> x0(3, 2.0);
  algorithm->start(x0);
  for (doc2s::Tick tick = 0; tick < algorithm->length(); ++tick) algorithm->step(tick);
  const double before = problem.global_value(x0), after = problem.global_value(algorithm->output().last);
  std::printf("gamma %.4f, f from %.4f to %.4f\n", network.spectrum.gamma(), before, after);
  return std::abs(network.spectrum.gamma() - 0.0507) < 5e-5 && after < 0.3 * before ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const doc2s::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
