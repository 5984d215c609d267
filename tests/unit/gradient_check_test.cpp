// SPDX-License-Identifier: Apache-2.0
#include "problems/gradient_check.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "doc2s/base/error.hpp"
#include "testing_world.hpp"
#include "theory/certificate.hpp"
#include "theory/constants.hpp"
#include "theory/full_gradient.hpp"

namespace doc2s {
namespace {

// Fills only the first numbers of the gradient, from client `from` on.
template <class Real>
class Forgetful : public testing::Quadratic<Real> {
 public:
  explicit Forgetful(Index filled, int from = 0)
      : testing::Quadratic<Real>(3, 5, 4), filled_(filled), from_(from) {}

  double value(int client, std::span<const Index> batch, std::span<const Real> x,
               std::span<Real> gradient) const override {
    std::vector<Real> whole(gradient.size());
    const double value = testing::Quadratic<Real>::value(client, batch, x, whole);
    const Index filled = client < from_ ? std::ssize(gradient) : std::min(filled_, std::ssize(gradient));
    std::copy_n(whole.begin(), filled, gradient.begin());
    return value;
  }

 private:
  Index filled_;
  int from_;
};

// A loss that diverged: value and gradient are NaN, or the problem computes with NaN.
class Diverging : public testing::Quadratic<double> {
 public:
  using Quadratic::Quadratic;
  double value(int, std::span<const Index>, std::span<const double>,
               std::span<double> gradient) const override {
    volatile double infinite = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < gradient.size(); ++j)
      gradient[j] = j % 2 == 0 ? infinite - infinite : std::numeric_limits<double>::quiet_NaN();
    return infinite - infinite;
  }
};

class WithState : public Forgetful<double> {
 public:
  WithState() : Forgetful(0) {}
  void state(State& state) const override { state.value("calls", calls_); }

 private:
  mutable int calls_ = 0;
};

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Diverged&) {
    return "diverged";
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string sentence(int client, int unset) {
  return "client " + std::to_string(client) + ": the problem's value() left " + std::to_string(unset) +
         " of 5 numbers of the gradient unset; fill all of it, or use order = \"zeroth\", which asks for no "
         "gradient";
}

const std::vector<double> x0(5, 0.5);

std::string certified(const Problem<double>& problem) {
  Threads threads(2);
  const GradientFunction f = full_gradient(problem, threads);
  return refusal([&] { find_certificate(f, x0, {.delta = 0.1, .budget = 5}); });
}

std::string certified_by_several(const Problem<double>& problem) {
  Threads threads(2);
  Processes alone;
  InProcess<double> transport(problem.clients(), threads);
  const GradientFunction f = full_gradient(problem, transport, alone);
  return refusal([&] { find_certificate(f, x0, {.delta = 0.1, .budget = 5}); });
}

template <class Real>
std::string checked(const Problem<Real>& problem, int client = 0, Index batch = 9) {
  const std::vector<Real> x(x0.begin(), x0.end());
  return refusal([&] { check_gradient<Real>(problem, client, batch, x); });
}

TEST(GradientCheck, AProblemThatIgnoresTheGradientHasNoCertificate) {
  EXPECT_EQ(certified(Forgetful<double>(0)), sentence(0, 5));
  EXPECT_EQ(certified_by_several(Forgetful<double>(0)), sentence(0, 5));
}

TEST(GradientCheck, NorDoesOneThatLeavesSomeCoordinates) {
  EXPECT_EQ(certified(Forgetful<double>(3)), sentence(0, 2));
  EXPECT_EQ(certified(Forgetful<double>(4, 2)), sentence(2, 1));
  EXPECT_EQ(certified_by_several(Forgetful<double>(4, 2)), sentence(2, 1));
  EXPECT_EQ(certified(Forgetful<double>(5)), "");
  EXPECT_EQ(certified_by_several(Forgetful<double>(5)), "");
}

TEST(GradientCheck, NorAreItsConstantsSampled) {
  Threads threads(1);
  const auto sampled = [&](const auto& problem) {
    return refusal([&] { client_constants(problem, {0, 3}, 0.1, 1, threads); });
  };
  EXPECT_EQ(sampled(Forgetful<double>(0)), sentence(0, 5));
  EXPECT_EQ(sampled(Forgetful<float>(1, 1)), sentence(1, 4));
  EXPECT_EQ(sampled(Forgetful<float>(5)), "");
}

TEST(GradientCheck, AFirstOrderRunIsRefused) {
  EXPECT_EQ(checked(Forgetful<double>(0)), sentence(0, 5));
  EXPECT_EQ(checked(Forgetful<float>(0)), sentence(0, 5));
  EXPECT_EQ(checked(Forgetful<float>(2), 1), sentence(1, 3));
  EXPECT_EQ(checked(Forgetful<double>(5)), "");
  EXPECT_EQ(checked(Forgetful<float>(5), 2, 1), "");
}

TEST(GradientCheck, ALossThatDivergedIsToldApart) {
  EXPECT_EQ(checked(Diverging(3, 5, 4)), "");
  EXPECT_EQ(certified(Diverging(3, 5, 4)), "diverged");
}

TEST(GradientCheck, AProblemWithStateIsNotAsked) { EXPECT_EQ(checked<double>(WithState()), ""); }

}  // namespace
}  // namespace doc2s
