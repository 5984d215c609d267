#include <cmath>
#include <cstdio>

#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"
#include "doc2s/network/network.hpp"

// The ring of 16 clients with 3 neighbours, oneself counted, has γ = 1 − (1 + 2 cos(2π/16))/3.
int main() {
  const double uniform = doc2s::Random(1, doc2s::Purpose::start).uniform();
  doc2s::Settings settings("network");
  settings.set("graph", std::string("ring"));
  settings.set("neighbours", std::int64_t{3});
  settings.set("weights", std::string("uniform"));
  settings.set("lazy", false);
  try {
    const doc2s::Network network = doc2s::make_network(16, settings, 1);
    const double gamma = network.spectrum.gamma();
    std::printf("gamma %.4f, one random number %.4f\n", gamma, uniform);
    return std::abs(gamma - 0.0507) < 5e-5 && uniform >= 0 && uniform < 1 ? 0 : 1;
  } catch (const doc2s::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
