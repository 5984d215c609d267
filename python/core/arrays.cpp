// SPDX-License-Identifier: Apache-2.0
#include "arrays.hpp"

namespace doc2s::python {

namespace {

// The array, or a view of it in a local variable, reads from `to` what it read from `from`.
void move_memory(const py::handle& array, const char* from, char* to) {
  py::detail::PyArray_Proxy* const fields = py::detail::array_proxy(array.ptr());
  fields->data = to + (fields->data - from);
}

}  // namespace

void LentArray::leave_copy(const py::object& traceback) {
  const char* const from = py::detail::array_proxy(array_.ptr())->data;
  py::array copy = array_.attr("copy")();
  char* const to = py::detail::array_proxy(copy.ptr())->data;
  for (py::object at = traceback; !at.is_none(); at = at.attr("tb_next"))
    for (const auto& [name, local] : py::dict(at.attr("tb_frame").attr("f_locals")))
      if (py::isinstance<py::array>(local) && py::detail::array_proxy(local.ptr())->base == array_.ptr())
        move_memory(local, from, to);
  move_memory(array_, from, to);
  py::detail::PyArray_Proxy* const fields = py::detail::array_proxy(array_.ptr());
  const py::object before = py::reinterpret_steal<py::object>(fields->base);
  fields->base = copy.release().ptr();
}

}  // namespace doc2s::python
