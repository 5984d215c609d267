// SPDX-License-Identifier: Apache-2.0
#include "certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"
#include "experiment.hpp"
#include "gradient_needs.hpp"
#include "theory/value_differences.hpp"

namespace doc2s {

namespace fs = std::filesystem;

CertifiedProblem::CertifiedProblem(const Config& given) : CertifiedProblem(given, alone_) {}

CertifiedProblem::CertifiedProblem(const Config& given, Processes& processes,
                                   std::shared_ptr<const Problem<double>> own)
    : processes_(processes),
      threads_(thread_count(given, processes)),
      transport_(
          make_transport<double>(processes, static_cast<int>(given.clients.integer("count")), threads_)),
      made_(own ? users_problem(std::move(own), static_cast<int>(given.clients.integer("count")),
                                transport_->clients())
                : make_problem<double>(given, transport_->clients(), processes)),
      config(made_.settled(given)) {}

GradientFunction CertifiedProblem::gradient(Index samples_each, std::uint64_t seed) {
  if (!has_gradient()) differences_ = with_differences(problem());
  if (made_.is_users && has_gradient()) check_gradient_of(made_, config, transport_->clients());
  const Problem<double>& differentiable = has_gradient() ? problem() : *differences_;
  if (processes_.count() > 1) return full_gradient(differentiable, *transport_, processes_);
  return full_gradient(differentiable, threads_, samples_each, seed);
}

void check_dimension(Index numbers, const CertifiedProblem& problem, const std::string& where) {
  if (numbers != problem.problem().dimension())
    throw Error(fmt::format("a point has {} numbers, the problem {}", numbers, problem.problem().dimension()),
                where, "give the point and the config of one problem");
}

namespace {

// The only config in the file; a comparison of several methods has the same problem in all of them.
Config config_in(const std::string& path) { return read_configs(path).front(); }

void require_there(const std::string& path, const std::string& hint) {
  std::error_code unknown;
  if (!fs::exists(path, unknown)) throw Error("there is no such file or directory", path, hint);
}

PointsToCertify of_run(const CertifyRequest& request) {
  const std::string of_client = request.client == "all" ? "last" : "output";
  const std::string which = request.which.empty() ? of_client : request.which;
  const std::string config = request.target + "/config.toml";
  const std::string points = request.target + "/" + which + ".npy";
  if (!request.config.empty())
    throw Error("a run has its own config", "--config " + request.config,
                "leave it out, or name a .npy file");
  require_there(config, "give the directory of a run, or a .npy file with --config");
  require_there(points, "the run is still in progress or was interrupted");
  return {config_in(config), points, read_npy(points), which};
}

PointsToCertify of_file(const CertifyRequest& request) {
  if (request.config.empty())
    throw Error("which problem the point belongs to is not said", request.target, "add --config CONFIG.toml");
  return {config_in(request.config), request.target, read_npy(request.target)};
}

Index client_number(const std::string& text, const NpyArray& array, const std::string& file) {
  Index number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string where = "--client " + text;
  if (error != std::errc() || end != text.data() + text.size())
    throw Error("is not a client's number", where,
                fmt::format("clients go from 0 to {}", std::max<Index>(array.rows, 1) - 1));
  if (array.is_list) throw Error("there is one point for all clients", where, file + " has no rows");
  if (number < 0 || number >= array.rows)
    throw Error(fmt::format("there is no client {}", number), where,
                fmt::format("they go from 0 to {}", array.rows - 1));
  return number;
}

}  // namespace

PointsToCertify points_to_certify(const CertifyRequest& request) {
  require_there(request.target, "give the directory of a run, or a .npy file with --config");
  std::error_code unknown;
  PointsToCertify asked = fs::is_directory(request.target, unknown) ? of_run(request) : of_file(request);
  const NpyArray& array = asked.array;
  if (array.values.empty()) throw Error("holds no point", asked.file);
  const bool all = request.client == "all";
  const Index first = all ? 0 : client_number(request.client, array, asked.file);
  const Index last = all ? array.rows - 1 : first;
  for (Index row = first; row <= last; ++row) {
    const auto numbers = array.row(row);
    if (!std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); }))
      throw Error(fmt::format("row {} holds a number that is not finite", row), asked.file,
                  "take a run that did not diverge");
    asked.points.push_back({array.is_list ? std::nullopt : std::optional(row), numbers});
  }
  asked.points = distinct(std::move(asked.points));
  return asked;
}

std::vector<PointToCertify> distinct(std::vector<PointToCertify> points) {
  const auto as_first = [&](const PointToCertify& one) {
    return std::ranges::equal(one.point, points.front().point);
  };
  if (points.size() < 2 || !std::ranges::all_of(points, as_first)) return points;
  return {{std::nullopt, points.front().point}};
}

}  // namespace doc2s
