// SPDX-License-Identifier: Apache-2.0
#include "python_problem.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <array>
#include <cmath>

#include "doc2s/base/error.hpp"

namespace doc2s::python {

namespace {

Form form_named(const std::string& name) {
  if (name == "function") return Form::function;
  return name == "value" ? Form::value : Form::filling;
}

const char* call_text(Form form) {
  if (form == Form::function) return "f(i, x)";
  return form == Form::value ? "value(i, batch, x)" : "value(i, batch, x, gradient)";
}

}  // namespace

template <class Real>
PythonProblem<Real>::PythonProblem(py::object given)
    : given_(std::move(given)),
      call_(given_.attr("value")),
      loss_(given_.attr("loss")),
      clients_(given_.attr("clients").template cast<int>()),
      dimension_(given_.attr("dimension").template cast<Index>()),
      samples_(given_.attr("samples").template cast<std::vector<Index>>()),
      has_value_(clients_),
      has_gradient_(given_.attr("has_gradient").template cast<bool>()),
      form_(form_named(given_.attr("form").template cast<std::string>())) {}

template <class Real>
PythonProblem<Real>::~PythonProblem() {
  const py::gil_scoped_acquire gil;
  given_ = call_ = loss_ = py::object();
  interrupted_ = nullptr;
}

template <class Real>
double PythonProblem<Real>::value(int client, std::span<const Index> batch, std::span<const Real> x,
                                  std::span<Real> gradient) const {
  const py::gil_scoped_acquire gil;
  const Place place{call_text(form_), client};
  UsersCall call(call_, place);
  call.add(client);
  if (form_ != Form::function) call.lend(batch);
  call.lend(x);
  if (form_ == Form::filling && gradient.empty()) call.add_none();
  if (form_ == Form::filling && !gradient.empty()) call.lend(gradient);
  py::object result = result_of(call);
  if (py::isinstance<py::list>(result)) result = py::tuple(result);
  double value = 0;
  if (py::isinstance<py::tuple>(result)) {
    const auto pair = pair_in(result, place);
    value = number_in(pair[0], place);
    if (!gradient.empty() && form_ != Form::filling) take_gradient(pair[1], gradient, place);
  } else {
    value = number_in(result, place);
    if (!gradient.empty() && form_ != Form::filling)
      throw Error("returned a number alone, and a gradient is wanted", text(place),
                  "return (value, gradient), or take order=\"zeroth\"");
  }
  result = py::object();
  call.require_nothing_kept();
  check_value(value, client, x);
  return value;
}

// The engine carries out all parts of a loop, also after one has failed.
template <class Real>
py::object PythonProblem<Real>::result_of(UsersCall& call) const {
  if (interrupted_) std::rethrow_exception(interrupted_);
  try {
    return call.result();
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) interrupted_ = std::current_exception();
    throw;
  }
}

// A run that diverges is the engine's to tell; a function whose first value is none, at an ordinary point, is
// not.
template <class Real>
void PythonProblem<Real>::check_value(double value, int client, std::span<const Real> x) const {
  if (!std::isnan(value)) has_value_[client] = true;
  if (has_value_[client]) return;
  constexpr double ordinary = 1e30;
  for (const Real number : x)
    if (!(std::abs(static_cast<double>(number)) < ordinary)) return;
  throw Error("returned nan at a finite point", text({call_text(form_), client}),
              "mend it, or give inf where the function is not defined");
}

template <class Real>
double PythonProblem<Real>::loss(int client, std::span<const Index> batch, std::span<const Real> x) const {
  if (loss_.is_none()) return value(client, batch, x, {});
  const py::gil_scoped_acquire gil;
  const Place place{"loss(i, batch, x)", client};
  UsersCall call(loss_, place);
  call.add(client);
  call.lend(batch);
  call.lend(x);
  const double loss = number_in(result_of(call), place);
  call.require_nothing_kept();
  return loss;
}

template <class Real>
void PythonProblem<Real>::start(std::uint64_t seed, std::span<Real> x0) const {
  const py::gil_scoped_acquire gil;
  const py::object start = function("start");
  if (start.is_none()) return Problem<Real>::start(seed, x0);
  take_gradient(start(seed), x0, {"start(seed)", std::nullopt});
}

template <class Real>
double PythonProblem<Real>::measured(const char* name, std::span<const Real> x) const {
  const py::gil_scoped_acquire gil;
  const py::object measure = function(name);
  if (measure.is_none()) return std::numeric_limits<double>::quiet_NaN();
  const std::string words = std::string(name) + "(x)";
  const Place place{words.c_str(), std::nullopt};
  UsersCall call(measure, place);
  call.lend(x);
  const double number = number_in(result_of(call), place);
  call.require_nothing_kept();
  return number;
}

template <class Real>
std::optional<double> PythonProblem<Real>::constant(const char* name, int client) const {
  const py::gil_scoped_acquire gil;
  const py::object known = function(name);
  if (known.is_none()) return std::nullopt;
  const std::string words = std::string(name) + "(i)";
  return number_in(known(client), {words.c_str(), client});
}

template <class Real>
py::object PythonProblem<Real>::function(const char* name) const {
  return given_.attr(name);
}

template <class Real>
void PythonProblem<Real>::state(State& state) const {
  const py::gil_scoped_acquire gil;
  const py::object function = this->function("state");
  if (function.is_none()) return;
  std::vector<py::buffer_info> lent;  // holds the arrays until all are written or read
  const auto part = [&](int client) {
    const py::gil_scoped_acquire inner;
    lent.push_back(bytes_of(function(client), {"state(i)", client}));
    return std::span(static_cast<std::byte*>(lent.back().ptr),
                     static_cast<std::size_t>(lent.back().size * lent.back().itemsize));
  };
  int first = 0;
  while (first + 1 < clients_ && samples_[first] == 0) ++first;
  const auto size = static_cast<Index>(part(first).size());
  const py::gil_scoped_release others;
  state.by_client("problem.state", size, part);
}

template class PythonProblem<float>;
template class PythonProblem<double>;

}  // namespace doc2s::python
