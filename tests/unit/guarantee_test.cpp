// SPDX-License-Identifier: Apache-2.0
// doc2s::guarantee: plan, run and certificates of a problem that the library has never seen.
#include <gtest/gtest.h>

#include <cmath>

#include "doc2s/doc2s.hpp"

namespace doc2s {
namespace {

// f_i(x) = Σ_j |x_j − i|, d = 3: L = √3.
class Kinks : public Problem<double> {
 public:
  explicit Kinks(bool knows, bool has_gradient = true) : knows_(knows), has_gradient_(has_gradient) {}
  int clients() const override { return 4; }
  Index dimension() const override { return 3; }
  Index samples(int) const override { return 1; }
  bool has_gradient() const override { return has_gradient_; }
  std::optional<double> lipschitz(int) const override {
    return knows_ ? std::optional(std::sqrt(3.0)) : std::nullopt;
  }
  std::optional<double> lower_bound(int) const override { return 0; }
  double value(int client, std::span<const Index>, std::span<const double> x,
               std::span<double> gradient) const override {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum += std::abs(x[j] - client);
      if (!gradient.empty()) gradient[j] = x[j] > client ? 1 : -1;
    }
    return sum;
  }

 private:
  bool knows_, has_gradient_;
};

Options goal(double epsilon) {
  Options options;
  options.set("method.delta", 1).set("method.epsilon", epsilon);
  return options;
}

std::string message_of(const Options& options) {
  try {
    guarantee(Kinks(true), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no Error";
}

TEST(Guarantee, PlansRunsAndCertifies) {
  const Guaranteed found = guarantee(Kinks(true), goal(0.5));
  EXPECT_TRUE(found.certified);
  EXPECT_EQ(found.bounds.size(), 4U);
  for (const double bound : found.bounds) EXPECT_LE(bound, 0.5);
  EXPECT_EQ(found.run.status, Status::finished);
  EXPECT_EQ(found.run.summary.at("method"), "doc2s-travel");
  EXPECT_EQ(found.run.summary.at("samples"),
            std::ceil(9 * 3 / 0.25) * std::round(found.run.summary.at("samples") / 108));
  EXPECT_NE(found.verdict.find("All 4 clients"), std::string::npos) << found.verdict;
  EXPECT_EQ(found.verdict.find("measured"), std::string::npos) << found.verdict;
}

TEST(Guarantee, GossipHasABoundForEachClient) {
  Options options = goal(0.9);
  options.set("method.name", "doc2s").set("network.graph", "complete");
  const Guaranteed found = guarantee(Kinks(true), options);
  EXPECT_TRUE(found.certified);
  EXPECT_EQ(found.bounds.size(), 4U);
}

TEST(Guarantee, ByABudgetTheLeastEpsilon) {
  Options options;
  options.set("method.delta", 2).set("run.budget.samples", 3000);
  const Guaranteed found = guarantee(Kinks(true), options);
  EXPECT_LE(found.run.summary.at("samples"), 3000);
  EXPECT_LT(found.epsilon, std::sqrt(3.0));
  EXPECT_TRUE(found.certified);
}

TEST(Guarantee, SaysWhatIsMeasuredAndWhatIsNoCertificate) {
  const Guaranteed measured = guarantee(Kinks(false), goal(1.5));
  EXPECT_NE(measured.verdict.find("L and G are measured"), std::string::npos) << measured.verdict;
  const Guaranteed values = guarantee(Kinks(true, false), goal(1.5));
  EXPECT_FALSE(values.certified);
  EXPECT_NE(values.verdict.find("Nothing is certified"), std::string::npos) << values.verdict;
}

TEST(Guarantee, ARunThatIsStoppedHasNone) {
  Options options = goal(0.5);
  options.on_record = [](const Record&) { return false; };
  const Guaranteed found = guarantee(Kinks(true), options);
  EXPECT_FALSE(found.certified);
  EXPECT_TRUE(found.bounds.empty());
  EXPECT_NE(found.verdict.find("interrupted"), std::string::npos) << found.verdict;
}

TEST(Guarantee, Mistakes) {
  EXPECT_NE(message_of(Options()).find("delta is missing"), std::string::npos);
  EXPECT_NE(message_of(goal(0.5).set("method.name", "dsgd")).find("no theorem"), std::string::npos);
  EXPECT_NE(message_of(goal(0.5).set("run.budget.seconds", 1)).find("before its plan"), std::string::npos);
  EXPECT_NE(message_of(goal(0.5).set("clients.count", 3)).find("the problem's is 4"), std::string::npos);
}

}  // namespace
}  // namespace doc2s
