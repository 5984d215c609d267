#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s::app {

// What is said of one point.
struct CertifyResult {
  std::optional<Index> client;
  double bound;
  Index bundle, gradients;
};

struct CertifyAnswer {
  double delta;
  std::optional<double> epsilon;
  Index sampled;  // 0: the bounds are exact
  std::vector<CertifyResult> results{};
};

void print_json(const CertifyAnswer& answer);
void print_words(const CertifyAnswer& answer);

std::string name_of(const std::optional<Index>& client);  // "client 3", "the point"

// Signs of life on stderr for what takes longer than a moment.
class Patience {
 public:
  explicit Patience(bool quiet) : quiet_(quiet) {}
  void show(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds pause{2};
  bool quiet_;
  Clock::time_point next_ = Clock::now() + pause;
};

}  // namespace doc2s::app
