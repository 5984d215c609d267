// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s::python {

// Which of the user's functions, for messages.
struct Place {
  const char* function;  // "value(i, batch, x)"
  std::optional<int> client;
};
std::string text(const Place& place);

// One call of a user's function. What it raises comes out as py::error_already_set.
class UsersCall {
 public:
  UsersCall(const py::object& function, const Place& place) : function_(function), place_(place) {}

  void add(int number) { put(py::int_(number)); }
  void add_none() { put(py::none()); }
  template <class Number>
  void lend(std::span<Number> numbers) {
    lent_[lent_count_].emplace(numbers);
    arguments_[1 + count_++] = lent_[lent_count_++]->object();
  }

  py::object result();

  // Throws Error where the user's code still holds an array that was lent to it.
  void require_nothing_kept() const;

 private:
  static constexpr int most = 4;

  void put(py::object object) {
    arguments_[1 + count_++] = object.ptr();
    owned_[owned_count_++] = std::move(object);
  }
  bool keeps_any() const;

  const py::object& function_;
  const Place& place_;
  std::array<PyObject*, 1 + most> arguments_{};  // the first place is the interpreter's
  std::array<py::object, most> owned_;
  std::array<std::optional<LentArray>, most> lent_;
  int count_ = 0, owned_count_ = 0, lent_count_ = 0;
};

// What comes back. Each throws Error, or a TypeError, in a sentence.
double number_in(const py::handle& result, const Place& place);
py::tuple pair_in(const py::object& result, const Place& place);
py::buffer_info bytes_of(const py::object& array, const Place& place);  // contiguous and writable
template <class Real>
void take_gradient(const py::handle& result, std::span<Real> numbers, const Place& place);

}  // namespace doc2s::python
