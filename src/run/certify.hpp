// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/npy.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/config/config.hpp"
#include "doc2s/transport/transport.hpp"
#include "problems/kinds.hpp"
#include "theory/certificate_file.hpp"
#include "theory/full_gradient.hpp"

namespace doc2s {

// Where a user gives none: the radius of the ball, and gradients a point.
struct CertifyDefaults {
  double delta = 0.1;
  Index budget = 60;
};
inline constexpr CertifyDefaults certify_defaults;

// The f of a config in float64, whatever the run's precision, without network and method.
class CertifiedProblem {
  Processes alone_;
  Processes& processes_;
  Threads threads_;
  std::unique_ptr<Transport<double>> transport_;
  MadeProblem<double> made_;
  std::unique_ptr<Problem<double>> differences_;  // of a problem without a gradient

 public:
  explicit CertifiedProblem(const Config& given);  // in this process alone
  CertifiedProblem(
      const Config& given, Processes& processes,
      std::shared_ptr<const Problem<double>> own = nullptr);  // the problem, where not the config's

  const Config config;  // with what the data decided
  const Problem<double>& problem() const { return *made_.problem; }
  // ∇f over all samples, or, in a process alone, estimated on some of each client. By differences of values
  // where the problem gives no more: an estimate too.
  GradientFunction gradient(Index samples_each = 0, std::uint64_t seed = 0);
  bool has_gradient() const { return problem().has_gradient(); }
};

// The points that a user asks about.
struct CertifyRequest {
  std::string target;   // a run's directory, or a .npy file
  std::string config;   // for a .npy file: where the problem stands
  std::string which{};  // of a run: "last" or "output"; "": last, or the output of one client
  std::string client = "all";
};

struct PointToCertify {
  std::optional<Index> client;  // the row; none where there is one point for all
  std::span<const double> point;
};

struct PointsToCertify {
  Config config;
  std::string file;     // where the points stand
  NpyArray array;       // all rows; the points are some of them
  std::string which{};  // "last" or "output" of a run; "": points of the user's own
  std::vector<PointToCertify> points{};
};

// One for all clients where all are equal.
std::vector<PointToCertify> distinct(std::vector<PointToCertify> points);

// Throws Error where the run or the file is missing, or has no such client.
PointsToCertify points_to_certify(const CertifyRequest& request);

// Throws Error where a point's size is not the problem's.
void check_dimension(Index numbers, const CertifiedProblem& problem, const std::string& where);

}  // namespace doc2s
