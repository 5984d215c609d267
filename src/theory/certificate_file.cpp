// SPDX-License-Identifier: Apache-2.0
#include "certificate_file.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <span>

#include "base/json.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr std::string_view magic = certificate_magic;
constexpr std::size_t longest_head = certificate_longest_head, hash_length = certificate_hash_length;
constexpr const char* advice = "create the certificate again, or fetch the file again";

template <class Number>
std::string_view bytes_of(std::span<const Number> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

std::string head_line(const CertificateFile& file, const CertificateWriter::Shape& shape) {
  JsonObject head;
  head.add("dimension", shape.dimension)
      .add("certificates", shape.count)
      .add("delta", shape.delta)
      .add_raw("epsilon", file.epsilon ? json(*file.epsilon) : "null")
      .add("sampled", file.sampled)
      .add_raw("seed", std::to_string(file.seed))
      .add("problem", file.problem);
  return head.line() + "\n";
}

}  // namespace

CertificateWriter::CertificateWriter(const CertificateFile& file, const Shape& shape, Put put)
    : put_(std::move(put)) {
  this->put(magic);
  this->put(head_line(file, shape));
}

void CertificateWriter::put(std::string_view bytes) {
  hash_.add(bytes);
  put_(bytes);
}

void CertificateWriter::add(const CertificateFile::Entry& entry) {
  const Certificate& one = entry.certificate;
  const Index numbers[] = {entry.client.value_or(-1), std::ssize(one.points)};
  const double figures[] = {one.bound, one.value};
  put(bytes_of<Index>(numbers));
  put(bytes_of<double>(figures));
  put(bytes_of<double>(one.centre));
  put(bytes_of<double>(one.weights));
  for (const auto& point : one.points) put(bytes_of<double>(point));
}

void CertificateWriter::end() { put_(hash_.hex() + "\n"); }

std::string certificate_bytes(const CertificateFile& file) {
  const Certificate& first = file.entries.front().certificate;
  std::string all;
  CertificateWriter writer(file, {std::ssize(file.entries), std::ssize(first.centre), first.delta},
                           [&](std::string_view bytes) { all += bytes; });
  for (const auto& entry : file.entries) writer.add(entry);
  writer.end();
  return all;
}

CertificateHead parse_certificate_head(std::string_view line, const std::string& name) {
  CertificateHead head;
  const auto require = [&](bool in_range) {
    if (!in_range) throw Error("its header has a number out of range", name, advice);
  };
  try {
    const auto told = nlohmann::json::parse(line);
    head.problem = told.at("problem").get<std::string>();
    for (const char* key : {"seed", "sampled", "dimension", "certificates"})
      require(told.at(key).is_number_unsigned());
    head.seed = told.at("seed").get<std::uint64_t>();
    head.sampled = told.at("sampled").get<Index>();
    if (!told.at("epsilon").is_null()) head.epsilon = told.at("epsilon").get<double>();
    head.delta = told.at("delta").get<double>();
    head.dimension = told.at("dimension").get<Index>();
    head.certificates = told.at("certificates").get<Index>();
  } catch (const nlohmann::json::exception&) {
    throw Error("its header cannot be read", name, advice);
  }
  require(head.dimension >= 1 && head.certificates >= 1 && head.sampled >= 0 &&
          head.epsilon.value_or(0) >= 0);
  return head;
}

namespace {

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}

  CertificateFile read() {
    check_hash();
    const std::string_view line = rest_.substr(0, std::min(rest_.find('\n'), longest_head));
    rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
    const CertificateHead head = parse_certificate_head(line, name_);
    CertificateFile file{head.problem, head.seed, head.sampled, head.epsilon, {}};
    delta_ = head.delta;
    dimension_ = head.dimension;
    for (Index k = 0; k < head.certificates; ++k) {
      auto entry = read_entry();
      if (k > 0 && !(entry.client > file.entries.back().client && file.entries.back().client))
        refuse("its certificates are not in the order of the clients, each once");
      file.entries.push_back(std::move(entry));
    }
    if (!rest_.empty()) refuse(fmt::format("{} bytes follow the last certificate", rest_.size()));
    return file;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw Error(what, name_, advice); }

  void check_hash() {
    if (!rest_.starts_with(magic)) refuse("is not a certificate of this format");
    if (rest_.size() < magic.size() + hash_length) refuse("is truncated");
    const std::string_view content = rest_.substr(0, rest_.size() - hash_length);
    if (rest_.substr(content.size()) != Sha256().add(content).hex() + "\n")
      refuse("was changed or truncated: its hash does not match");
    rest_ = content.substr(magic.size());
  }

  CertificateFile::Entry read_entry() {
    const auto numbers = take<Index>(2);
    const auto figures = take<double>(2);
    const Index client = numbers[0], points = numbers[1];
    if (client < -1 || points < 1) refuse("a certificate has a number out of range");
    CertificateFile::Entry entry;
    if (client >= 0) entry.client = client;
    entry.certificate.delta = delta_;
    entry.certificate.bound = figures[0];
    entry.certificate.value = figures[1];
    entry.certificate.centre = take<double>(dimension_);
    entry.certificate.weights = take<double>(points);
    for (Index k = 0; k < points; ++k) entry.certificate.points.push_back(take<double>(dimension_));
    return entry;
  }

  template <class Number>
  std::vector<Number> take(Index count) {
    if (static_cast<std::uint64_t>(count) > rest_.size() / sizeof(Number))
      refuse("ends within a certificate");
    std::vector<Number> numbers(static_cast<std::size_t>(count));
    std::memcpy(numbers.data(), rest_.data(), numbers.size() * sizeof(Number));
    rest_.remove_prefix(numbers.size() * sizeof(Number));
    return numbers;
  }

  std::string_view rest_;
  const std::string& name_;
  Index dimension_ = 0;
  double delta_ = 0;
};

}  // namespace

CertificateFile parse_certificates(const std::string& bytes, const std::string& name) {
  return Reader(bytes, name).read();
}

}  // namespace doc2s
