// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// Splits a record into fields without their quotes. A record is a line, or several if quotes span them.
class CsvFields {
 public:
  explicit CsvFields(char separator) : separator_(separator) {}

  char separator() const { return separator_; }
  void set_separator(char separator) { separator_ = separator; }

  void clear();
  bool take(const char* at, const char* end);  // adds a line; returns whether the record ends with it
  bool open() const { return open_; }          // within quotes

  Index count() const { return static_cast<Index>(ends_.size()); }
  std::string_view operator[](Index field) const;

  // The first field with text after its closing quote, or −1.
  Index stray() const { return stray_; }

  bool blank(char c) const { return c == ' ' || c == '\r' || (c == '\t' && separator_ != '\t'); }
  const char* skip_blanks(const char* at, const char* end) const {
    while (at < end && blank(*at)) ++at;
    return at;
  }
  std::string_view trimmed(const char* at, const char* end) const;
  const char* field_end(const char* at, const char* end) const;  // the next separator, or `end`

 private:
  const char* begin_field(const char* at, const char* end);
  const char* take_bare(const char* at, const char* end);
  const char* take_quoted(const char* at, const char* end);
  const char* after_quotes(const char* at, const char* end);

  char separator_;
  std::string text_;               // of all fields
  std::vector<std::size_t> ends_;  // of each field in text_
  bool open_ = false;
  Index stray_ = -1;
};

// What separates the columns of a file with this first line: a semicolon where it has more of them than
// commas outside quotes, or where all commas between them are those of numbers; else a comma.
char separator_in(std::string_view first_line);

// A number with a decimal comma, where semicolons separate, gets a point, in `room`; else the text itself.
std::string_view with_point(std::string_view text, char separator, std::string& room);

}  // namespace doc2s
