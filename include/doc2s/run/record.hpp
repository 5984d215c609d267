// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// A number of a run. quantities() is the only list of them: records, summary, comparison, sweep, report and
// docs/files.md go by it.
struct Quantity {
  // An axis is a count that curves are drawn against; a note is about the measures.
  enum class Kind { axis, count, measure, note };
  enum class Format { count, bytes, seconds, loss, share, norm };  // a norm is drawn on a logarithmic axis
  enum class Better { neither, low, high };

  const char* name;  // key in metrics.jsonl and summary.json
  Kind kind;
  Format format;
  const char* title;    // in figures
  const char* heading;  // in tables; "": it has no column
  const char* phrase;   // in the lines that close a run, {} for the number; "": it is not among them
  const char* meaning;
  Better better = Better::neither;
  bool sparse = false;  // only some records have it: a curve leads from one of them to the next
  bool always = false;  // null, not absent, in records without it

  bool is_count() const { return kind == Kind::axis || kind == Kind::count; }
  bool is_whole() const { return format == Format::count || format == Format::bytes; }
};
const std::vector<Quantity>& quantities();
std::size_t position_of(std::string_view quantity);  // throws std::out_of_range

// A value for each of quantities(), NaN where there is none.
class Record {
 public:
  Record();
  double& operator[](std::string_view name) { return values_[position_of(name)]; }
  double operator[](std::string_view name) const { return values_[position_of(name)]; }
  Index whole(std::string_view name) const;  // a count as an integer; 0 where there is none

  std::vector<double>& values() { return values_; }
  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
};

// How a run ended. "running" in no file: a run that goes on has no summary yet.
enum class Status { running, finished, diverged, interrupted };
const std::string& to_text(Status status);
Status status_from(const std::string& text);  // running where the text is none of the others
inline bool operator==(Status status, std::string_view text) { return to_text(status) == text; }
inline bool has_ended(Status status) { return status == Status::finished || status == Status::diverged; }

}  // namespace doc2s
