#pragma once
#include <optional>
#include <string>
#include <vector>

#include "certificate.hpp"

namespace doc2s {

// Certificates of one problem, as they are kept in a file (docs/certificates.md has the format).
struct CertificateFile {
  struct Entry {
    std::optional<Index> client;  // whose point it is; none: everybody's
    Certificate certificate;
  };

  std::string problem;            // the config that says what f is
  std::uint64_t seed = 0;         // of the samples, where f is estimated
  Index sampled = 0;              // samples a client; 0: all of them
  std::optional<double> epsilon;  // what was asked for
  std::vector<Entry> entries;     // all of one delta and dimension
};

std::string certificate_bytes(const CertificateFile& file);

// Refuses, with a reason, bytes that are not what certificate_bytes() gave: cut short, changed, of another
// format. Takes no more memory than a small multiple of their number. That the certificates hold is not
// checked here.
CertificateFile parse_certificates(const std::string& bytes, const std::string& name);

}  // namespace doc2s
