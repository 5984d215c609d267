// SPDX-License-Identifier: Apache-2.0
#include "lent.hpp"

#include "doc2s/base/error.hpp"
#include "problems/lent_problem.hpp"
#include "python_problem.hpp"

namespace doc2s::python {

namespace {

template <class Real>
struct Lent {
  explicit Lent(const py::object& given) : problem(given), lent(problem) {}

  PythonProblem<Real> problem;
  LentProblem lent;
};

// A float32 problem in float64.
class Widened : public Problem<double> {
 public:
  explicit Widened(const py::object& problem) : problem_(problem) {}

  int clients() const override { return problem_.clients(); }
  Index dimension() const override { return problem_.dimension(); }
  Index samples(int client) const override { return problem_.samples(client); }
  bool has_gradient() const override { return problem_.has_gradient(); }
  double value(int client, std::span<const Index> batch, std::span<const double> x,
               std::span<double> gradient) const override {
    const std::vector<float> narrow(x.begin(), x.end());
    std::vector<float> slope(gradient.size());
    const double value = problem_.value(client, batch, narrow, slope);
    std::copy(slope.begin(), slope.end(), gradient.begin());
    return value;
  }
  void start(std::uint64_t seed, std::span<double> x0) const override {
    std::vector<float> narrow(x0.size());
    problem_.start(seed, narrow);
    std::copy(narrow.begin(), narrow.end(), x0.begin());
  }
  void state(State& state) const override { problem_.state(state); }

 private:
  PythonProblem<float> problem_;
};

}  // namespace

std::shared_ptr<const void> lent(const py::object& problem) {
  if (problem.is_none()) return nullptr;
  if (problem.attr("precision").cast<std::string>() == "float32")
    return std::make_shared<Lent<float>>(problem);
  return std::make_shared<Lent<double>>(problem);
}

std::shared_ptr<const Problem<double>> in_double(const py::object& problem) {
  if (problem.is_none()) return nullptr;
  if (problem.attr("precision").cast<std::string>() == "float32") {
    if (!problem.attr("has_gradient").cast<bool>())
      throw Error("values in float32 are too coarse for their differences", "certify",
                  "give a problem in float64, or one with a gradient");
    return std::make_shared<Widened>(problem);
  }
  return std::make_shared<PythonProblem<double>>(problem);
}

}  // namespace doc2s::python
