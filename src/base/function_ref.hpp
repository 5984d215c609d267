// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <utility>

namespace doc2s {

// A call of a function that lives with the caller: no copy, no allocation. Empty unless given one.
template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  FunctionRef() = default;
  template <class F>
  requires(!std::same_as<F, FunctionRef>) FunctionRef(const F& f)
      : f_(&f), call_([](const void* function, Arguments... arguments) -> Result {
          return (*static_cast<const F*>(function))(std::forward<Arguments>(arguments)...);
        }) {}

  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Arguments... arguments) const { return call_(f_, std::forward<Arguments>(arguments)...); }

 private:
  const void* f_ = nullptr;
  Result (*call_)(const void*, Arguments...) = nullptr;
};

}  // namespace doc2s
