// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "certify.hpp"

namespace doc2s {

// What is said of one point.
struct CertifyResult {
  std::string run;  // its directory, where there are several; else ""
  std::optional<Index> client;
  double bound;
  Index bundle, gradients;
  bool kink;  // at the point itself
};

struct CertifyAnswer {
  double delta;
  std::optional<double> epsilon;
  Index sampled;             // samples of each client; 0: all
  std::string which{};       // "last", "output"; "" where the points are the user's own
  bool differences = false;  // the gradients are differences of values
  std::vector<CertifyResult> results{};
  std::vector<std::string> notes{};  // of several runs, those left out, and why; what memory limited

  bool is_estimate() const { return sampled > 0 || differences; }
  bool reaches(const CertifyResult& result) const { return epsilon && result.bound <= *epsilon; }
};

// What is looked for at each point.
struct CertifySearch {
  double delta;
  std::optional<double> epsilon;
  Index budget, sampled;                       // gradients a point; samples of each client, 0: all
  double memory = CertificateSearch().memory;  // bytes for the search at a point
};

using News = std::function<void(const std::string&)>;  // of one point, now and then

// The certificates of these points, one after the other; `take`, where given, gets each.
using TakeCertificate = std::function<void(const CertificateFile::Entry&)>;
CertifyAnswer certified(const PointsToCertify& asked, CertifiedProblem& problem, const CertifySearch& search,
                        const News& news, const TakeCertificate& take = {});

// The same, kept in a file for `doc2s certify --check`. Each is written when it is found: together they may
// be large.
CertifyAnswer certified_in_file(const std::string& path, const PointsToCertify& asked,
                                CertifiedProblem& problem, const CertifySearch& search, const News& news);

std::string client_name(const std::optional<Index>& client);  // "client 3", "the point"

}  // namespace doc2s
