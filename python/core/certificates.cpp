// SPDX-License-Identifier: Apache-2.0
#include "certificates.hpp"

#include "certify_answer.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"
#include "news.hpp"
#include "python_problem.hpp"
#include "transport/join.hpp"

namespace doc2s::python {

namespace {

// A float32 problem in float64: certificates are.
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

app::CertifySearch search_of(const CertifyHow& how) {
  const app::CertifySearch search{how.delta, how.epsilon, how.budget, how.sampled};
  app::check_search(search);
  return search;
}

}  // namespace

std::string certify_files(const std::string& target, const std::string& config, const std::string& which,
                          const std::string& client, const CertifyHow& how, const py::object& tell) {
  const py::gil_scoped_release others;
  return app::json_text(app::certified({target, config, which, client}, search_of(how), news_to(tell)));
}

std::string certify_points(const py::array_t<double, py::array::c_style | py::array::forcecast>& points,
                           const std::vector<std::int64_t>& clients, const std::string& which,
                           const std::string& config, const py::object& problem, const CertifyHow& how,
                           const py::object& tell) {
  const auto own = in_double(problem);
  PointsToCertify asked{parse_configs(config, "config").front(), "the points", {}, which};
  for (py::ssize_t row = 0; row < points.shape(0); ++row)
    asked.points.push_back({clients.empty() ? std::nullopt : std::optional<Index>(clients[row]),
                            {points.data(row, 0), static_cast<std::size_t>(points.shape(1))}});
  asked.points = distinct(std::move(asked.points));
  const py::gil_scoped_release others;
  Processes alone;
  CertifiedProblem certified(asked.config, alone, own);
  return app::json_text(app::certified(asked, certified, search_of(how), news_to(tell)));
}

}  // namespace doc2s::python
