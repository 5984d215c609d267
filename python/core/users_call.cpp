// SPDX-License-Identifier: Apache-2.0
#include "users_call.hpp"

#include <fmt/format.h>

#include <cstring>

#include "doc2s/base/error.hpp"

namespace doc2s::python {

std::string text(const Place& place) {
  return place.client ? fmt::format("{}, client {}", place.function, *place.client) : place.function;
}

py::object UsersCall::result() {
  const std::size_t count = static_cast<std::size_t>(count_) | PY_VECTORCALL_ARGUMENTS_OFFSET;
  PyObject* const result = PyObject_Vectorcall(function_.ptr(), arguments_.data() + 1, count, nullptr);
  if (result) return py::reinterpret_steal<py::object>(result);
  try {
    throw py::error_already_set();
  } catch (const py::error_already_set& error) {
    for (int k = 0; k < lent_count_; ++k) lent_[k]->leave_copy(error.trace() ? error.trace() : py::none());
    throw;
  }
}

bool UsersCall::keeps_any() const {
  for (int k = 0; k < lent_count_; ++k)
    if (lent_[k]->is_kept()) return true;
  return false;
}

// What only a cycle of references holds is not kept.
void UsersCall::require_nothing_kept() const {
  if (!keeps_any()) return;
  PyGC_Collect();
  if (keeps_any())
    throw Error("keeps an array that it was given, which changes after the call", text(place_),
                "keep a copy: x.copy()");
}

namespace {

std::string type_name(const py::handle& object) { return Py_TYPE(object.ptr())->tp_name; }

std::string shape_text(const py::array& array) { return py::str(array.attr("shape")); }

[[noreturn]] void refuse_type(const std::string& what, const Place& place, const std::string& hint) {
  throw py::type_error(Error(what, text(place), hint).what());
}

}  // namespace

double number_in(const py::handle& result, const Place& place) {
  if (PyFloat_CheckExact(result.ptr())) return PyFloat_AS_DOUBLE(result.ptr());
  const bool may_be = !PyComplex_Check(result.ptr()) && !PyUnicode_Check(result.ptr());
  PyObject* const number = may_be ? PyNumber_Float(result.ptr()) : nullptr;
  if (!number) {
    PyErr_Clear();
    refuse_type("returned " + type_name(result) + ", which is no number", place, "return a float");
  }
  return py::reinterpret_steal<py::float_>(number);
}

py::tuple pair_in(const py::object& result, const Place& place) {
  const auto pair = py::reinterpret_borrow<py::tuple>(result);
  if (pair.size() != 2)
    refuse_type(fmt::format("returned {} things", pair.size()), place,
                "return a float, or (float, gradient)");
  return pair;
}

template <class Real>
void take_gradient(const py::handle& result, std::span<Real> numbers, const Place& place) {
  const py::array array = py::array::ensure(result);
  if (!array) PyErr_Clear();
  if (!array || (array.dtype().kind() != 'f' && array.dtype().kind() != 'i' && array.dtype().kind() != 'u'))
    refuse_type("returned " + type_name(result) + " in place of an array of numbers", place,
                "return a NumPy array");
  if (array.ndim() != 1 || array.size() != std::ssize(numbers))
    throw Error(
        fmt::format("returned an array of shape {}, and x has ({},)", shape_text(array), numbers.size()),
        text(place), "return as many numbers as x has");
  const auto same = py::array_t<Real, py::array::c_style | py::array::forcecast>::ensure(array);
  std::memcpy(numbers.data(), same.data(), numbers.size_bytes());
}

py::buffer_info bytes_of(const py::object& array, const Place& place) {
  if (!py::isinstance<py::buffer>(array))
    refuse_type("returned " + type_name(array) + " in place of an array", place, "return a NumPy array");
  py::buffer_info info = py::reinterpret_borrow<py::buffer>(array).request(true);
  py::ssize_t stride = info.itemsize;
  for (py::ssize_t k = info.ndim - 1; k >= 0; stride *= info.shape[k--])
    if (info.shape[k] > 1 && info.strides[k] != stride)
      throw Error("returned an array that is not contiguous", text(place),
                  "return numpy.ascontiguousarray's");
  return info;
}

template void take_gradient(const py::handle&, std::span<float>, const Place&);
template void take_gradient(const py::handle&, std::span<double>, const Place&);

}  // namespace doc2s::python
