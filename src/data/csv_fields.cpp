// SPDX-License-Identifier: Apache-2.0
#include "csv_fields.hpp"

#include "lines.hpp"

namespace doc2s {

void CsvFields::clear() {
  text_.clear();
  ends_.clear();
  open_ = false;
  stray_ = -1;
}

std::string_view CsvFields::operator[](Index field) const {
  const std::size_t begin = field == 0 ? 0 : ends_[static_cast<std::size_t>(field) - 1];
  return std::string_view(text_).substr(begin, ends_[static_cast<std::size_t>(field)] - begin);
}

std::string_view CsvFields::trimmed(const char* at, const char* end) const {
  at = skip_blanks(at, end);
  while (end > at && blank(end[-1])) --end;
  return {at, static_cast<std::size_t>(end - at)};
}

const char* CsvFields::field_end(const char* at, const char* end) const {
  const char* const stop = find_char(at, end, separator_);
  return stop ? stop : end;
}

bool CsvFields::take(const char* at, const char* end) {
  if (open_)
    text_ += '\n';
  else
    at = begin_field(at, end);
  for (;; at = begin_field(at + 1, end)) {
    at = open_ ? take_quoted(at, end) : take_bare(at, end);
    if (open_) return false;
    ends_.push_back(text_.size());
    if (at == end) return true;
  }
}

const char* CsvFields::begin_field(const char* at, const char* end) {
  at = skip_blanks(at, end);
  open_ = at < end && *at == '"';
  return open_ ? at + 1 : at;
}

const char* CsvFields::take_bare(const char* at, const char* end) {
  const char* const stop = field_end(at, end);
  text_ += trimmed(at, stop);
  return stop;
}

// Up to the closing quote and the separator after it; `open_` stays if the line ends before.
const char* CsvFields::take_quoted(const char* at, const char* end) {
  while (const char* quote = find_char(at, end, '"')) {
    text_.append(at, quote);
    at = quote + 1;
    if (at == end || *at != '"') {
      open_ = false;
      return after_quotes(at, end);
    }
    text_ += *at++;  // two quotes are one
  }
  text_.append(at, end);
  return end;
}

const char* CsvFields::after_quotes(const char* at, const char* end) {
  const char* const stop = field_end(at, end);
  if (stray_ < 0 && !trimmed(at, stop).empty()) stray_ = count();
  return stop;
}

}  // namespace doc2s
