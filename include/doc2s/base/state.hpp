#pragma once
#include <functional>
#include <span>
#include <string>
#include <type_traits>

#include "doc2s/base/rows.hpp"

namespace doc2s {

// What a computation must keep in order to go on later with the same bits. Whoever has state lists its parts,
// each under a name of its own; the same list writes a checkpoint and reads it back.
class State {
 public:
  virtual ~State() = default;

  // Bytes that all processes have alike. With `from`, only the process of that client is sure to have them;
  // read back, everybody gets them.
  virtual void shared(const std::string& name, std::span<std::byte> bytes, int from = 0) = 0;

  // As many bytes for each client of this process; part(client) is where they lie.
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
