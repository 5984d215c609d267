// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.hpp"
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

// The second line of a file, and what all its certificates share.
struct CertificateHead {
  std::string problem;
  std::uint64_t seed = 0;
  Index sampled = 0;
  std::optional<double> epsilon;
  double delta = 0;
  Index dimension = 0, certificates = 0;
};
inline constexpr std::string_view certificate_magic = "doc2s certificate 1\n";  // the first line
inline constexpr std::size_t certificate_longest_head = std::size_t{1} << 20;
inline constexpr std::size_t certificate_hash_length = 65;  // 64 digits and a newline

CertificateHead parse_certificate_head(std::string_view line, const std::string& name);

// Throws Error with a reason if the bytes are not from certificate_bytes(): truncated, changed, another
// format. Memory is at most a small multiple of the input. Does not check that the certificates hold.
CertificateFile parse_certificates(const std::string& bytes, const std::string& name);

}  // namespace doc2s
