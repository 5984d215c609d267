// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <sstream>

#include "base/sha256.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"
#include "target.hpp"
#include "theory/certificate_figures.hpp"
#include "theory/certificate_file.hpp"

namespace {

// Reading a file's figures may refuse it, and tells the same as reading all of it.
void check_figures(const std::string& bytes) {
  using namespace doc2s;
  std::istringstream stream(bytes);
  Index points = 0;
  const auto figures = [&]() -> std::optional<CertificateFigures> {
    try {
      return certificate_figures(stream, std::ssize(bytes), "input", [&](auto, auto) { ++points; });
    } catch (const Error&) {
      return {};
    }
  }();
  if (!figures) return;
  const CertificateFile file = parse_certificates(bytes, "input");
  if (points != std::ssize(file.entries) || figures->points != points || figures->sampled != file.sampled)
    std::abort();
}

}  // namespace

// The trailing hash is added here, because no mutation would find it.
DOC2S_FUZZ_TARGET(bytes) {
  using namespace doc2s;
  const std::string content = "doc2s certificate 1\n" + std::string(bytes);
  const std::string whole = content + Sha256().add(content).hex() + "\n";
  check_figures(whole);
  const CertificateFile file = parse_certificates(whole, "input");
  for (const auto& entry : file.entries)
    check_certificate(
        entry.certificate,
        [](std::span<const double> x, std::span<double> gradient) {
          gradient[0] = x[0];
          return x[0] * x[0] / 2;
        },
        "input");
  parse_configs(file.problem, "input");
}
