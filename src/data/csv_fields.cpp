// SPDX-License-Identifier: Apache-2.0
#include "csv_fields.hpp"

#include <algorithm>

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

namespace {

// "-1,5": digits around one comma.
bool has_decimal_comma(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return std::ranges::count(text, ',') == 1 && text.size() > 1 && text.back() != ',' &&
         text.find_first_not_of("0123456789,") == text.npos;
}

}  // namespace

char separator_in(std::string_view first_line) {
  CsvFields fields(';');
  const bool whole = fields.take(first_line.data(), first_line.data() + first_line.size());
  Index commas = 0;
  bool all_decimal = true;
  bool quoted = false;
  for (const char c : first_line) {
    quoted = quoted != (c == '"');
    commas += !quoted && c == ',';
  }
  for (Index k = 0; k < fields.count(); ++k)
    all_decimal = all_decimal && (fields[k].find(',') == fields[k].npos || has_decimal_comma(fields[k]));
  const Index semicolons = fields.count() - (whole ? 1 : 0);
  return semicolons > 0 && (semicolons > commas || all_decimal) ? ';' : ',';
}

std::string_view with_point(std::string_view text, char separator, std::string& room) {
  if (separator != ';' || !has_decimal_comma(text)) return text;
  room = text;
  room[room.find(',')] = '.';
  return room;
}

const char* CsvFields::after_quotes(const char* at, const char* end) {
  const char* const stop = field_end(at, end);
  if (stray_ < 0 && !trimmed(at, stop).empty()) stray_ = count();
  return stop;
}

}  // namespace doc2s
