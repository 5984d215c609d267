// SPDX-License-Identifier: Apache-2.0
#include "certificates.hpp"

#include "certify_answer.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"
#include "lent.hpp"
#include "news.hpp"
#include "transport/join.hpp"

namespace doc2s::python {

namespace {

CertifySearch search_of(const CertifyHow& how) {
  const CertifySearch search{how.delta, how.epsilon, how.budget, how.sampled};
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
  CertifiedProblem problem_there(asked.config, alone, own);
  return app::json_text(doc2s::certified(asked, problem_there, search_of(how), news_to(tell)));
}

}  // namespace doc2s::python
