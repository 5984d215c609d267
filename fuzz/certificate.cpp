// SPDX-License-Identifier: Apache-2.0
#include "catalogue/sha256.hpp"
#include "doc2s/run/configs.hpp"
#include "target.hpp"
#include "theory/certificate_file.hpp"

// The trailing hash is added here, because no mutation would find it.
DOC2S_FUZZ_TARGET(bytes) {
  using namespace doc2s;
  const std::string content = "doc2s certificate 1\n" + std::string(bytes);
  const CertificateFile file = parse_certificates(content + Sha256().add(content).hex() + "\n", "input");
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
