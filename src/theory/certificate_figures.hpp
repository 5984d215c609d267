// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <istream>
#include <optional>
#include <span>
#include <string>

#include "doc2s/base/types.hpp"

namespace doc2s {

// What a file of certificates states, without its points.
struct CertificateFigures {
  double delta = 0;
  std::optional<double> epsilon;
  Index sampled = 0;                         // samples per client; 0: all
  Index points = 0;                          // that have a certificate
  Index reached = 0;                         // of these with a bound of at most epsilon
  double lowest = 0, highest = 0, mean = 0;  // bounds
};

// The point of a client (empty: of all clients) that a certificate is about.
using CertifiedPoint = std::function<void(std::optional<Index> client, std::span<const double> point)>;

// Reads the numbers and the points that are certified, and passes over the rest: files of large problems do
// not fit the memory. Checks lengths, not the hash, and not that the certificates hold. Throws Error where
// the bytes do not fit together.
CertificateFigures certificate_figures(std::istream& bytes, Index size, const std::string& name,
                                       const CertifiedPoint& use);

}  // namespace doc2s
