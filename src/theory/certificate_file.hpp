// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/sha256.hpp"
#include "certificate.hpp"

namespace doc2s {

// Certificates of one problem as stored in a file (format: docs/certificates.md).
struct CertificateFile {
  struct Entry {
    std::optional<Index> client;  // owner of the point; empty: all clients
    Certificate certificate;
  };

  std::string problem;            // the config that defines f
  std::uint64_t seed = 0;         // of the samples, if f is estimated
  Index sampled = 0;              // samples per client; 0: all
  std::optional<double> epsilon;  // the requested bound
  std::vector<Entry> entries;     // all with the same delta and dimension
};

// The bytes of such a file, one certificate after the other, none of which is held.
class CertificateWriter {
 public:
  using Put = std::function<void(std::string_view bytes)>;

  // What `file` says besides its entries, `count` of which, all of this shape, will follow.
  struct Shape {
    Index count, dimension;
    double delta;
  };
  CertificateWriter(const CertificateFile& file, const Shape& shape, Put put);
  void add(const CertificateFile::Entry& entry);
  void end();

 private:
  void put(std::string_view bytes);

  const Put put_;
  Sha256 hash_;
};

std::string certificate_bytes(const CertificateFile& file);

// Throws Error with a reason if the bytes are not from certificate_bytes(): truncated, changed, another
// format. Memory is at most a small multiple of the input. Does not check that the certificates hold.
CertificateFile parse_certificates(const std::string& bytes, const std::string& name);

}  // namespace doc2s
