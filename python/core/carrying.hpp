// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <functional>
#include <string>

#include "doc2s/run/record.hpp"
#include "doc2s/run/run.hpp"
#include "interrupt.hpp"
#include "results.hpp"

namespace doc2s::python {

namespace py = pybind11;

// What the user wants to hear while it runs, and how it is told to stop.
class Carrying {
 public:
  explicit Carrying(const py::object& given)
      : callback_(given.attr("callback")),
        progress_(given.attr("progress")),
        out(text(given, "out")),
        trace(text(given, "trace")),
        resume(given.attr("resume").cast<bool>()),
        force(given.attr("force").cast<bool>()),
        interrupt(given.attr("takes_interrupt").cast<bool>()) {}

  std::function<bool(const Record&)> on_record() const {
    if (callback_.is_none()) return {};
    return [this](const Record& record) {
      const py::gil_scoped_acquire gil;
      return !callback_(as_dict(record)).is(py::bool_(false));
    };
  }

  // Also where Python's own signal handlers get their turn.
  std::function<void(const Record&, double)> on_progress() const {
    return [this](const Record& record, double share) {
      const py::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress_.is_none()) progress_(share, as_dict(record));
    };
  }

 private:
  static std::string text(const py::object& given, const char* name) {
    const py::object value = given.attr(name);
    return value.is_none() ? "" : value.cast<std::string>();
  }

  py::object callback_, progress_;

 public:
  const std::string out, trace;
  const bool resume, force;
  Interrupt interrupt;
};

}  // namespace doc2s::python
