// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include <cmath>

#include "arrays.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s::python {

py::dict as_dict(const Record& record) {
  py::dict values;
  for (const Quantity& quantity : quantities()) {
    const double value = record[quantity.name];
    if (std::isnan(value)) continue;
    if (quantity.is_whole())
      values[quantity.name] = static_cast<Index>(value);
    else
      values[quantity.name] = value;
  }
  return values;
}

namespace {

template <class Number>
py::array column(const std::vector<Record>& records, const char* name) {
  std::vector<Number> numbers;
  for (const Record& record : records) numbers.push_back(static_cast<Number>(record[name]));
  const auto size = std::ssize(numbers);
  return owning_array(std::move(numbers), {size});
}

// Counts as int64, unless a record lacks one; what no record has is left out.
py::dict history_of(const std::vector<Record>& records) {
  py::dict history;
  for (const Quantity& quantity : quantities()) {
    std::size_t there = 0;
    for (const Record& record : records) there += !std::isnan(record[quantity.name]);
    if (there == 0) continue;
    const bool whole = quantity.is_whole() && there == records.size();
    history[quantity.name] =
        whole ? column<Index>(records, quantity.name) : column<double>(records, quantity.name);
  }
  return history;
}

}  // namespace

py::dict as_dict(KeptInMemory kept, Status status, const std::vector<std::string>& notes, int rank) {
  const auto d = std::ssize(kept.x), n = d == 0 ? 0 : std::ssize(kept.outputs) / d;
  py::dict result;
  result["history"] = history_of(kept.records);
  result["x"] = owning_array(std::move(kept.x), {d});
  result["outputs"] = owning_array(std::move(kept.outputs), {n, d});
  result["summary"] = py::module_::import("json").attr("loads")(kept.summary);
  result["config"] = kept.config;
  result["status"] = to_text(status);
  result["notes"] = py::list();
  for (const std::string& note : notes) result["notes"].attr("append")(note);
  result["rank"] = rank;
  return result;
}

py::list quantity_list() {
  static const char* const kinds[] = {"axis", "count", "measure", "note"};
  static const char* const formats[] = {"count", "bytes", "seconds", "loss", "share", "norm"};
  static const char* const better[] = {"neither", "low", "high"};
  py::list all;
  for (const Quantity& one : quantities()) {
    py::dict entry;
    entry["name"] = one.name;
    entry["kind"] = kinds[static_cast<int>(one.kind)];
    entry["format"] = formats[static_cast<int>(one.format)];
    entry["title"] = one.title;
    entry["heading"] = one.heading;
    entry["meaning"] = one.meaning;
    entry["better"] = better[static_cast<int>(one.better)];
    all.append(entry);
  }
  return all;
}

Value value_from(const py::handle& value, const std::string& where) {
  if (py::isinstance<py::bool_>(value) || py::isinstance(value, py::module_::import("numpy").attr("bool_")))
    return value.attr("__bool__")().cast<bool>();
  if (PyIndex_Check(value.ptr()))
    return py::int_(py::reinterpret_borrow<py::object>(value)).cast<std::int64_t>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (PyFloat_Check(value.ptr()) || py::hasattr(value, "__float__"))
    return py::float_(py::reinterpret_borrow<py::object>(value)).cast<double>();
  if (PySequence_Check(value.ptr())) {
    const auto texts = py::reinterpret_borrow<py::sequence>(value);
    if (!texts.empty() && py::isinstance<py::str>(texts[0]))  // ["ring", "star"]
      return py::str(", ").attr("join")(texts).cast<std::string>();
    List list;
    for (const py::handle& one : value) list.push_back(one.cast<std::int64_t>());
    return list;
  }
  throw py::type_error(Error(std::string("has a value of type ") + Py_TYPE(value.ptr())->tp_name, where,
                             "give a number, a text, True, False or a list of whole numbers or texts")
                           .what());
}

}  // namespace doc2s::python
