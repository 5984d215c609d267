// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <string>
#include <type_traits>

#include "doc2s/base/rows.hpp"

namespace doc2s {

// What a computation needs to continue later with the same bits. Each part has a unique name. The same list
// writes and reads a checkpoint.
class State {
 public:
  virtual ~State() = default;

  // Bytes that are equal in all processes. With `from`, only the process of that client is required to have
  // them when writing; on reading, all processes get them.
  virtual void shared(const std::string& name, std::span<std::byte> bytes, int from = 0) = 0;

  // `bytes` bytes for each client of this process, at part(client).
  virtual void by_client(const std::string& name, Index bytes,
                         const std::function<std::span<std::byte>(int client)>& part) = 0;

  template <class Value>
  void value(const std::string& name, Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    shared(name, std::as_writable_bytes(std::span(&value, 1)));
  }

  template <class Real>
  void numbers(const std::string& name, std::span<Real> numbers, int from = 0) {
    shared(name, std::as_writable_bytes(numbers), from);
  }

  template <class Real>
  void rows(const std::string& name, Rows<Real>& rows) {
    by_client(name, rows.dimension() * Index{sizeof(Real)},
              [&](int client) { return std::as_writable_bytes(rows.row(client)); });
  }
};

}  // namespace doc2s
