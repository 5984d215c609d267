// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

#include "network_helpers.hpp"
#include "started_method.hpp"

namespace doc2s {
namespace {

// F_i(x) = x_0, of which there may be very many.
class Slope : public Problem<double> {
 public:
  Slope(int clients, Index dimension) : n_(clients), d_(dimension) {}
  int clients() const override { return n_; }
  Index dimension() const override { return d_; }
  Index samples(int) const override { return 1; }
  double value(int, std::span<const Index>, std::span<const double> x,
               std::span<double> gradient) const override {
    std::ranges::fill(gradient, 0.0);
    if (!gradient.empty()) gradient[0] = 1;
    return x[0];
  }

 private:
  int n_;
  Index d_;
};

// On a ring; the spectrum of a small one stands in, as travellers do not mix.
Network large_ring(int clients) {
  const Settings ring = network_tests::graph_settings("ring");
  const auto weights = [&](int n) { return make_weights(make_graph(n, ring, 1), ring); };
  return {make_graph(clients, ring, 1), weights(clients), Spectrum(weights(5))};
}

double megabytes_in_memory() {
  std::ifstream file("/proc/self/statm");
  double whole = 0, resident = 0;
  file >> whole >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// 200,000 clients of 600 numbers would be 960 MB: no clients' points, one row for all.
TEST(TravelLarge, ManyClientsNeedNoMemoryForTheirPoints) {
  constexpr int n = 200'000;
  constexpr Index d = 600;
  const Network network = large_ring(n);
  const Slope problem(n, d);
  Threads threads(1);
  InProcess<double> transport(n, threads);
  auto oracle = make_first_order<double>(problem, {1, 0, 1});
  Peers<double> peers(network, transport);
  World<double> world(peers, *oracle, d, 1);
  for (const char* name : {"doc2s-travel", "token"}) {
    const double before = megabytes_in_memory();
    const MethodKind& kind = testing::method_named(name);
    auto method = kind.make<double>(
        world, testing::settings_of(kind, {{"T", std::int64_t{10}}, {"travellers", std::int64_t{100}}}));
    method->start(std::vector<double>(d));
    for (Tick tick = 0; tick < 25; ++tick) method->step(tick);
    EXPECT_EQ(method->iterate().dimension(), 0) << name;
    const Output<double> output = method->output();
    EXPECT_EQ(output.points, nullptr) << name;
    EXPECT_EQ(output.row(n - 1).size(), 600u) << name;
    EXPECT_EQ(output.epochs, 2) << name;
    std::vector<double> mean(d);
    method->mean_point(mean);
    EXPECT_LT(mean[0], 0) << name;
    EXPECT_LT(megabytes_in_memory() - before, 100) << name;
  }
}

}  // namespace
}  // namespace doc2s
