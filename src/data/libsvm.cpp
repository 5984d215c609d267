// SPDX-License-Identifier: Apache-2.0
#include "libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "files.hpp"
#include "lines.hpp"
#include "numbers.hpp"

namespace doc2s {

namespace {

constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max();

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Parses text in pieces, cut anywhere, and appends one row per line.
class LibsvmReader {
 public:
  LibsvmReader(const std::string& path, const KeepRow& keep) : keep_(keep), lines_(path) {
    samples_.source = path;
  }

  void take(std::string_view piece) {
    lines_.take(piece, [&](const char* at, const char* end) { read_line(at, end); });
    if (std::exchange(first_piece_, false)) reserve(lines_.pieces_like(piece));
  }

  Samples finish(Index least_dimension) {
    lines_.finish([&](const char* at, const char* end) { read_line(at, end); });
    if (samples_.count() == 0)
      throw Error("the file holds no samples", samples_.source, "a sample is a line `label index:value …`");
    samples_.dimension = std::max(samples_.dimension, least_dimension);
    return std::move(samples_);
  }

 private:
  // Reserves memory for a file like its first piece.
  void reserve(double pieces) {
    const auto enough = [&](std::size_t count) { return static_cast<std::size_t>(1.05 * pieces * count); };
    samples_.columns.reserve(enough(samples_.columns.size()));
    samples_.values.reserve(enough(samples_.values.size()));
    samples_.labels.reserve(enough(samples_.labels.size()));
    samples_.offsets.reserve(enough(samples_.offsets.size()));
  }

  void read_line(const char* at, const char* end) {
    ++line_;
    if (line_ == 1) at += byte_order_mark({at, end}, samples_.source);
    if (const char* comment = find_char(at, end, '#')) end = comment;
    while (at < end && blank(*at)) ++at;
    if (at == end) return;
    at = read_label(at, end);
    std::int64_t last = 0;
    for (;;) {
      while (at < end && blank(*at)) ++at;
      if (at == end) break;
      at = read_pair(at, end, last);
    }
    samples_.dimension = std::max(samples_.dimension, last);
    samples_.features += std::ssize(samples_.columns) - samples_.offsets.back();
    if (keep_ && !keep_(samples_.count() - 1)) drop_features();
    samples_.offsets.push_back(static_cast<Index>(samples_.columns.size()));
  }

  // Drops the features of the current row.
  void drop_features() {
    samples_.columns.resize(samples_.offsets.back());
    samples_.values.resize(samples_.offsets.back());
  }

  const char* read_label(const char* at, const char* end) {
    const ReadNumber label = read_real(at, end);
    if (label.fault != NumberFault::none || !ends_word(label.end, end))
      refuse_number("label", label.fault, word(at, end), "a line begins with its label, such as +1 or -1");
    samples_.labels.push_back(label.value);
    return label.end;
  }

  // index:value. The index must exceed `last` and replaces it.
  const char* read_pair(const char* at, const char* end, std::int64_t& last) {
    std::uint64_t number = 0;
    const char* p = read_digits(at, end, number);
    const std::int64_t index = p - at > most_digits ? whole_index(at, p) : small_index(number);
    if (p == at || p == end || *p != ':') refuse_pair(word(at, end));
    if (index <= last || index > largest_index) refuse_index(index, last, word(at, end));
    if (++p == end || blank(*p)) refuse(printable(word(at, end)) + " has no value", "write index:value");
    const ReadNumber value = read_real(p, end);
    if (value.fault != NumberFault::none || !ends_word(value.end, end))
      refuse_number("value", value.fault, word(p, end), fmt::format("it belongs to index {}", index));
    samples_.columns.push_back(static_cast<std::int32_t>(index - 1));
    samples_.values.push_back(value.value);
    last = index;
    return value.end;
  }

  static std::int64_t small_index(std::uint64_t number) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(number, largest_index + 1));
  }

  // The same for any number of digits.
  static std::int64_t whole_index(const char* at, const char* end) {
    std::int64_t index = 0;
    for (; at < end; ++at) index = std::min(index * 10 + (*at - '0'), largest_index + 1);
    return index;
  }

  static bool ends_word(const char* at, const char* end) { return at == end || blank(*at); }

  static std::string_view word(const char* at, const char* end) {
    return {at, static_cast<std::size_t>(std::find_if(at, end, blank) - at)};
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
    throw Error(what, fmt::format("{}:{}", samples_.source, line_), hint);
  }

  [[noreturn]] void refuse_number(const char* role, NumberFault fault, std::string_view text,
                                  const std::string& hint) const {
    refuse(fmt::format("the {} {} {}", role, printable(text), fault_text(fault)), hint);
  }

  [[noreturn]] void refuse_pair(std::string_view text) const {
    if (text.starts_with("qid:"))
      refuse(printable(text) + " marks ranking data, which is not supported", "remove the qid: fields");
    refuse(printable(text) + " is not index:value", "a line is `label index:value index:value …`");
  }

  [[noreturn]] void refuse_index(std::int64_t index, std::int64_t last, std::string_view text) const {
    if (index == 0) refuse("index 0 in " + printable(text), "indices are 1-based, so add 1 to each");
    if (index > largest_index)
      refuse("the index in " + printable(text) + " is too large",
             fmt::format("the largest is {}", largest_index));
    if (index == last) refuse(fmt::format("index {} is given twice", index), "keep one of the two");
    refuse(fmt::format("index {} follows index {}", index, last),
           "sort the indices of a line in ascending order");
  }

  const KeepRow& keep_;
  Samples samples_;
  Lines lines_;
  bool first_piece_ = true;
  Index line_ = 0;  // 1-based
};

}  // namespace

Samples read_libsvm(const std::string& path, Index least_dimension, const KeepRow& keep) {
  LibsvmReader reader(path, keep);
  read_pieces(path, [&](std::string_view piece) { reader.take(piece); });
  return reader.finish(least_dimension);
}

}  // namespace doc2s
