// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/numpy.h>

#include <memory>
#include <span>
#include <vector>

namespace doc2s::python {

namespace py = pybind11;

// An array over memory of the engine, for one call of the user's code. No copy is made, so nobody may keep
// it: the memory changes after the call, and is gone after the run.
class LentArray {
 public:
  template <class Number>
  explicit LentArray(std::span<const Number> numbers) : array_(over(numbers.data(), numbers.size())) {
    py::detail::array_proxy(array_.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  }
  template <class Number>
  explicit LentArray(std::span<Number> numbers) : array_(over(numbers.data(), numbers.size())) {}

  PyObject* object() const { return array_.ptr(); }
  bool is_kept() const { return Py_REFCNT(array_.ptr()) > 1; }

  // After an exception: whoever looks at the frames of its traceback finds a copy of the numbers.
  void leave_copy(const py::object& traceback);

 private:
  template <class Number>
  static py::array over(Number* data, std::size_t size) {
    return py::array(py::dtype::of<std::remove_const_t<Number>>(), {static_cast<py::ssize_t>(size)}, {}, data,
                     py::none());
  }

  py::array array_;
};

// An array that owns the numbers, without a copy.
template <class Number>
py::array owning_array(std::vector<Number> numbers, std::vector<py::ssize_t> shape) {
  auto owner = std::make_unique<std::vector<Number>>(std::move(numbers));
  Number* const data = owner->data();
  const py::capsule base(owner.release(), [](void* kept) { delete static_cast<std::vector<Number>*>(kept); });
  return py::array(py::dtype::of<Number>(), std::move(shape), {}, data, base);
}

}  // namespace doc2s::python
