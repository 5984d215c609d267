// SPDX-License-Identifier: Apache-2.0
#include "certificate_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "certificate_file.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

class Skimmer {
 public:
  Skimmer(std::istream& bytes, Index size, const std::string& name)
      : bytes_(bytes), left_(size - static_cast<Index>(certificate_hash_length)), name_(name) {}

  CertificateFigures read(const CertifiedPoint& use) {
    if (text(static_cast<Index>(certificate_magic.size())) != certificate_magic)
      refuse("is not a certificate of this format");
    const CertificateHead head = parse_certificate_head(head_line(), name_);
    CertificateFigures figures{head.delta, head.epsilon, head.sampled, head.certificates};
    figures.lowest = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < head.certificates; ++k) {
      const double bound = read_entry(head.dimension, use);
      figures.lowest = std::min(figures.lowest, bound);
      figures.highest = std::max(figures.highest, bound);
      figures.mean += bound / static_cast<double>(head.certificates);
      if (head.epsilon && bound <= *head.epsilon) ++figures.reached;
    }
    if (left_ != 0) refuse("is truncated, or bytes follow the last certificate");
    return figures;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw Error(what, name_); }

  void need(Index count) {
    if (count > left_) refuse("ends within a certificate");
    left_ -= count;
  }

  std::string text(Index count) {
    need(count);
    std::string read(static_cast<std::size_t>(count), '\0');
    if (!bytes_.read(read.data(), count)) refuse("cannot be read");
    return read;
  }

  std::string head_line() {
    std::string line;
    for (char c; left_ > 0 && line.size() < certificate_longest_head && bytes_.get(c); line += c) {
      --left_;
      if (c == '\n') return line;
    }
    refuse("its header cannot be read");
  }

  template <class Number>
  std::vector<Number> numbers(Index count) {
    if (count > left_ / static_cast<Index>(sizeof(Number))) refuse("ends within a certificate");
    need(count * static_cast<Index>(sizeof(Number)));
    std::vector<Number> read(static_cast<std::size_t>(count));
    if (!bytes_.read(reinterpret_cast<char*>(read.data()), count * static_cast<Index>(sizeof(Number))))
      refuse("cannot be read");
    return read;
  }

  // Returns the bound.
  double read_entry(Index dimension, const CertifiedPoint& use) {
    const auto whole = numbers<Index>(2);
    const auto figures = numbers<double>(2);
    const Index client = whole[0], points = whole[1];
    if (client < -1 || points < 1 || !(figures[0] >= 0) || !std::isfinite(figures[0]))
      refuse("a certificate has a number out of range");
    use(client < 0 ? std::nullopt : std::optional(client), numbers<double>(dimension));
    if (points > left_ / 8 / (dimension + 1)) refuse("ends within a certificate");
    const Index passed = 8 * points * (dimension + 1);  // the weights and the points
    need(passed);
    if (!bytes_.seekg(passed, std::ios::cur)) refuse("cannot be read");
    return figures[0];
  }

  std::istream& bytes_;
  Index left_;  // bytes before the hash
  const std::string& name_;
};

}  // namespace

CertificateFigures certificate_figures(std::istream& bytes, Index size, const std::string& name,
                                       const CertifiedPoint& use) {
  return Skimmer(bytes, size, name).read(use);
}

}  // namespace doc2s
