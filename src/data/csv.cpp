// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "base/text.hpp"
#include "csv_columns.hpp"
#include "doc2s/base/error.hpp"
#include "files.hpp"
#include "lines.hpp"
#include "table_readers.hpp"
#include "table_targets.hpp"

namespace doc2s {

namespace {

class CsvReader {
 public:
  CsvReader(const std::string& path, char separator, const TableRequest& request)
      : request_(request), separator_(separator), lines_(path), fields_(separator), targets_(request.target) {
    table_.source = path;
  }

  void take(std::string_view piece) {
    lines_.take(piece, [&](const char* at, const char* end) { read_line(at, end); });
    if (std::exchange(first_piece_, false)) reserve(lines_.pieces_like(piece));
  }

  Table finish() {
    lines_.finish([&](const char* at, const char* end) { read_line(at, end); });
    if (fields_.open())
      refuse(columns_.text(fields_.count()) + " opens quotes that are never closed",
             "close them, or remove the first \"");
    if (table_.rows == 0)
      throw Error(columns_.has_header() ? "the file holds a header and no rows" : "the file holds no rows",
                  table_.source, "a row is a line of features and a target");
    targets_.finish(table_);
    const Index target = columns_.target;
    if (target >= 0)
      table_.label = columns_.has_header() ? columns_.names[target] : std::to_string(target + 1);
    return std::move(table_);
  }

 private:
  // Reserves memory for a file like its first piece.
  void reserve(double pieces) {
    table_.values.reserve(
        static_cast<std::size_t>(1.05 * pieces * static_cast<double>(table_.values.size())));
  }

  void read_line(const char* at, const char* end) {
    ++line_;
    if (line_ == 1) at += byte_order_mark({at, end}, table_.source);
    if (!fields_.open()) {
      if (fields_.skip_blanks(at, end) == end) return;
      record_line_ = line_;
      if (columns_.count > 0 && !find_char(at, end, '"')) return read_plain_row(at, end);
      fields_.clear();
    }
    if (fields_.take(at, end)) read_record();
  }

  void read_record() {
    if (fields_.stray() >= 0)
      refuse(columns_.text(fields_.stray()) + " has text after its closing quote",
             csv_separators() + "; a quote within quotes is written twice");
    if (columns_.count == 0) {
      columns_ = read_csv_columns(fields_, request_, where());
      table_.columns = columns_.features();
      row_.resize(table_.columns.size());
      first_line_ = record_line_;
      if (columns_.has_header()) return;
    }
    read_quoted_row();
  }

  // A line without quotes. Most of the time is spent here.
  void read_plain_row(const char* at, const char* end) {
    const char* const line = at;
    double* value = row_.data();
    for (Index column = 0;; ++at) {
      at = fields_.skip_blanks(at, end);
      at = column == columns_.target ? read_plain_target(at, end) : read_plain_feature(at, end, *value++);
      ++column;
      if (!at || (at == end) != (column == columns_.count)) return refuse_plain_row(line, end);
      if (at == end) return add_row();
    }
  }

  // Both return where the field ends; nullptr: there is something wrong with it.
  const char* read_plain_target(const char* at, const char* end) {
    const char* const stop = fields_.field_end(at, end);
    return targets_.add(fields_.trimmed(at, stop)) == NumberFault::none ? stop : nullptr;
  }

  const char* read_plain_feature(const char* at, const char* end, double& value) const {
    const ReadNumber number = read_real(at, end);
    const char* const stop = fields_.skip_blanks(number.end, end);
    value = number.value;
    return number.fault == NumberFault::none && (stop == end || *stop == separator_) ? stop : nullptr;
  }

  // The slow way finds the fault again and says what it is.
  void refuse_plain_row(const char* line, const char* end) {
    fields_.clear();
    fields_.take(line, end);
    read_quoted_row();
  }

  void read_quoted_row() {
    if (fields_.count() != columns_.count) refuse_length(fields_.count());
    double* value = row_.data();
    for (Index column = 0; column < columns_.count; ++column)
      if (column == columns_.target)
        read_target(fields_[column]);
      else
        *value++ = read_feature(column, fields_[column]);
    add_row();
  }

  void add_row() {
    table_.values.insert(table_.values.end(), row_.begin(), row_.end());
    ++table_.rows;
  }

  double read_feature(Index column, std::string_view text) const {
    const ReadNumber number = read_whole_real(text);
    if (number.fault == NumberFault::none) return number.value;
    const bool maybe_header = !columns_.has_header() && record_line_ == first_line_;
    refuse(field_fault(text, number.fault, columns_.text(column)),
           maybe_header       ? "if this line is a header, set problem.header = \"yes\""
           : is_missing(text) ? missing_hint
                              : "a feature is a finite number");
  }

  void read_target(std::string_view text) {
    const NumberFault fault = targets_.add(text);
    if (fault == NumberFault::none) return;
    const bool numbers = request_.target == TableRequest::Target::number;
    refuse(field_fault(text, fault, columns_.text(columns_.target) + ", the target,"),
           is_missing(text) ? missing_hint
           : numbers        ? "for classes by name set problem.target = \"class\""
                            : "a class is a text or a finite number");
  }

  static constexpr const char* missing_hint = "fill it in, or leave the line out";

  [[noreturn]] void refuse_length(Index there) const {
    refuse(fmt::format("this line has {} columns, and line {} has {}", there, first_line_, columns_.count),
           there < columns_.count ? columns_.text(there) + " is the first without a field"
                                  : "a text that holds the separator must be in quotes");
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
    throw Error(what, where(), hint);
  }

  std::string where() const { return fmt::format("{}:{}", table_.source, record_line_); }

  const TableRequest& request_;
  char separator_;
  Table table_;
  Lines lines_;
  CsvFields fields_;  // of the current record, if it is the first or has quotes
  CsvColumns columns_;
  Targets targets_;
  std::vector<double> row_;  // features of the current row
  Index line_ = 0, record_line_ = 0,
        first_line_ = 0;  // from 1: now, where its record and where the first began
  bool first_piece_ = true;
};

}  // namespace

Table read_csv(const std::string& path, char separator, const TableRequest& request) {
  CsvReader reader(path, separator, request);
  read_pieces(path, [&](std::string_view piece) { reader.take(piece); });
  return reader.finish();
}

}  // namespace doc2s
