// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/text.hpp"
#include "csv_columns.hpp"
#include "doc2s/base/error.hpp"
#include "files.hpp"
#include "lines.hpp"
#include "table_faults.hpp"
#include "table_readers.hpp"
#include "table_targets.hpp"

namespace doc2s {

namespace {

// Takes the place of a value that is missing.
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

class CsvReader {
 public:
  CsvReader(const std::string& path, char separator, const TableRequest& request)
      : request_(request), lines_(path), fields_(separator), targets_(request.target) {
    table_.source = path;
  }

  void take(std::string_view piece) {
    lines_.take(piece, [&](const char* at, const char* end) { read_line(at, end); });
    if (std::exchange(first_piece_, false)) reserve(lines_.pieces_like(piece));
  }

  Table finish() {
    lines_.finish([&](const char* at, const char* end) { read_line(at, end); });
    if (fields_.open())
      add_fault(columns_.text(fields_.count()) + " opens quotes that are never closed",
                "close them, or remove the first \"");
    if (points_ && table_.has_decimal_commas)
      faults().add(Error("some of its numbers have a decimal comma, and some a point", table_.source,
                         "write all of them one way"));
    if (!request_.faults) own_faults_.refuse_if_any();
    refuse_empty();
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

  void refuse_empty() const {
    if (table_.rows > 0 || rows_read_ > table_.left_out) return;
    if (table_.left_out > 0)
      throw Error(fmt::format("each of the {} rows has a cell without a value, {} of them in the column {}",
                              rows_read_, std::ranges::max(table_.missing), emptiest()),
                  table_.source, "leave columns out with problem.ignore, or set problem.missing = \"mean\"");
    throw Error(columns_.has_header() ? "the file holds a header and no rows" : "the file holds no rows",
                table_.source, "a row is a line of features and a target");
  }

  // The feature with the fewest values.
  std::string emptiest() const {
    const auto most = std::ranges::max_element(table_.missing) - table_.missing.begin();
    return printable(table_.columns[static_cast<std::size_t>(most)]);
  }

  void read_line(const char* at, const char* end) {
    ++line_;
    if (line_ == 1) at += byte_order_mark({at, end}, table_.source);
    if (!fields_.open()) {
      if (fields_.skip_blanks(at, end) == end) return;
      record_line_ = line_;
      if (columns_.count > 0 && !table_.has_semicolons && !find_char(at, end, '"'))
        return read_plain_row(at, end);
      if (columns_.count == 0) choose_separator({at, end});
      fields_.clear();
    }
    if (fields_.take(at, end)) read_record();
  }

  void choose_separator(std::string_view first_line) {
    if (fields_.separator() != ',') return;
    fields_.set_separator(separator_in(first_line));
    table_.has_semicolons = fields_.separator() == ';';
  }

  void read_record() {
    if (fields_.stray() >= 0) return refuse_stray();
    if (columns_.count == 0) {
      columns_ = read_csv_columns(fields_, request_, where());
      table_.columns = columns_.features();
      table_.missing.resize(table_.columns.size());
      table_.ignored = columns_.ignored;
      table_.not_used = columns_.not_used;
      table_.has_header = columns_.has_header();
      row_.resize(table_.columns.size());
      first_line_ = record_line_;
      if (columns_.has_header()) return;
    }
    read_quoted_row();
  }

  // Without the first line nothing else can be read.
  void refuse_stray() {
    const std::string what = columns_.text(fields_.stray()) + " has text after its closing quote";
    const std::string hint = csv_separators() + "; a quote within quotes is written twice";
    if (columns_.count == 0) throw Error(what, where(), hint);
    faults().add(Error(what, where(), hint));
  }

  // A line without quotes. Most of the time is spent here.
  void read_plain_row(const char* at, const char* end) {
    const char* const line = at;
    std::string_view target;
    double* value = row_.data();
    for (Index column = 0;; ++at) {
      at = fields_.skip_blanks(at, end);
      if (column == columns_.target || (column < columns_.count && columns_.skipped[column])) {
        const char* const stop = fields_.field_end(at, end);
        if (column == columns_.target) target = fields_.trimmed(at, stop);
        at = stop;
      } else {
        at = read_plain_feature(at, end, *value++);
      }
      ++column;
      if (!at || (at == end) != (column == columns_.count)) return read_row_again(line, end);
      if (at == end) break;
    }
    if (columns_.target >= 0 && targets_.add(target) != NumberFault::none) return read_row_again(line, end);
    ++rows_read_;
    add_row();
  }

  // Where the field ends; nullptr: there is something wrong with it.
  const char* read_plain_feature(const char* at, const char* end, double& value) const {
    const ReadNumber number = read_real(at, end);
    const char* const stop = fields_.skip_blanks(number.end, end);
    value = number.value;
    return number.fault == NumberFault::none && (stop == end || *stop == fields_.separator()) ? stop
                                                                                              : nullptr;
  }

  // The slow way, which says what is wrong.
  void read_row_again(const char* line, const char* end) {
    fields_.clear();
    fields_.take(line, end);
    read_quoted_row();
  }

  void read_quoted_row() {
    ++rows_read_;
    if (fields_.count() != columns_.count) return add_wrong_length(fields_.count());
    double* value = row_.data();
    bool whole = true;
    gaps_.clear();
    for (Index column = 0; column < columns_.count; ++column)
      if (column != columns_.target && !columns_.skipped[column])
        whole = read_feature(column, fields_[column], *value++) && whole;
    const bool gap = request_.missing == Missing::drop && (!gaps_.empty() || target_is_missing());
    if (whole && !gap && read_target()) add_row();
    if (whole && gap) leave_out();
    for (const Index feature : gaps_) ++table_.missing[feature];
  }

  bool target_is_missing() const { return columns_.target >= 0 && is_missing(fields_[columns_.target]); }

  void leave_out() {
    if (++table_.left_out > 1) return;
    table_.places.resize(static_cast<std::size_t>(table_.rows));
    std::iota(table_.places.begin(), table_.places.end(), Index{0});
  }

  void add_row() {
    table_.values.insert(table_.values.end(), row_.begin(), row_.end());
    if (table_.left_out > 0) table_.places.push_back(rows_read_ - 1);
    ++table_.rows;
  }

  bool read_feature(Index column, std::string_view field, double& value) {
    const std::string_view text = with_point(field, fields_.separator(), room_);
    const ReadNumber number = read_whole_real(text);
    value = number.value;
    if (number.fault == NumberFault::none) {
      if (text.data() != field.data()) table_.has_decimal_commas = true;
      points_ = points_ || (table_.has_semicolons && field.find('.') != field.npos);
      return true;
    }
    if (is_missing(text) && request_.missing != Missing::refuse) {
      value = no_value;
      gaps_.push_back(&value - row_.data());
      return true;
    }
    add_feature_fault(column, text, number.fault);
    return false;
  }

  void add_feature_fault(Index column, std::string_view text, NumberFault fault) {
    const bool gap = is_missing(text), keys_help = request_.features_alone == 0;
    const bool maybe_header = !gap && !columns_.has_header() && record_line_ == first_line_;
    TableFaults::Fault one{.what = field_fault(text, fault, columns_.text(column)),
                           .where = where(),
                           .hint = maybe_header ? "if this line is a header, set problem.header = \"yes\""
                                   : !gap       ? "a feature is a finite number"
                                   : !keys_help ? "fill it in, or leave the line out"
                                                : ""};
    if (keys_help && !maybe_header) one.column = columns_.name(column);
    if (keys_help && !maybe_header && (gap || fault == NumberFault::malformed))
      one.kind = gap ? TableFaults::Kind::missing : TableFaults::Kind::text;
    faults().add(one, table_.source);
  }

  bool read_target() {
    if (columns_.target < 0) return true;
    const std::string_view text = with_point(fields_[columns_.target], fields_.separator(), room_);
    const NumberFault fault = targets_.add(text);
    if (fault == NumberFault::none) return true;
    const bool numbers = request_.target == TableRequest::Target::number, gap = is_missing(text);
    TableFaults::Fault one{
        .what = field_fault(text, fault, columns_.text(columns_.target) + ", the target,"),
        .where = where(),
        .hint = gap && request_.features_alone > 0 ? "fill it in, or leave the line out"
                : gap     ? "a row without a target can only be left out, by problem.missing = \"drop\""
                : numbers ? "for classes by name set problem.target = \"class\""
                          : "a class is a text or a finite number"};
    faults().add(one, table_.source);
    return false;
  }

  void add_wrong_length(Index there) {
    add_fault(fmt::format("this line has {} columns, and line {} has {}", there, first_line_, columns_.count),
              there < columns_.count ? columns_.text(there) + " is the first without a field"
                                     : "a text that holds the separator must be in quotes");
  }

  void add_fault(const std::string& what, const std::string& hint) {
    faults().add({what, where(), hint}, table_.source);
  }

  TableFaults& faults() { return request_.faults ? *request_.faults : own_faults_; }

  std::string where() const { return fmt::format("{}:{}", table_.source, record_line_); }

  using Missing = TableRequest::Missing;

  const TableRequest& request_;
  TableFaults own_faults_;
  Table table_;
  Lines lines_;
  CsvFields fields_;  // of the current record, if it is the first, has quotes or a fault
  CsvColumns columns_;
  Targets targets_;
  std::vector<double> row_;  // features of the current row
  std::vector<Index> gaps_;  // those without a value
  std::string room_;
  Index line_ = 0, record_line_ = 0,
        first_line_ = 0;  // from 1: now, where its record and where the first began
  Index rows_read_ = 0;
  bool first_piece_ = true, points_ = false;
};

}  // namespace

Table read_csv(const std::string& path, char separator, const TableRequest& request) {
  CsvReader reader(path, separator, request);
  read_pieces(path, [&](std::string_view piece) { reader.take(piece); });
  return reader.finish();
}

}  // namespace doc2s
