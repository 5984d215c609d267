// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "testing_world.hpp"

// Methods by name, with the fallbacks of their options.
namespace doc2s::testing {

inline const MethodKind& method_named(const std::string& name) {
  for (const auto& kind : method_kinds())
    if (kind.name == name) return kind;
  throw std::logic_error("no method " + name);
}

using OptionValues = std::map<std::string, Value>;

// The fallbacks of the method's options, with these instead of some of them.
inline Settings settings_of(const MethodKind& kind, const OptionValues& changes = {}) {
  Settings method("method");
  for (const auto& option : kind.options)
    if (option.fallback) method.set(option.name, *option.fallback);
  for (const auto& [name, value] : changes) method.set(name, value);
  return method;
}

template <class Real>
std::unique_ptr<Algorithm<Real>> started(SmallWorld<Real>& small, const std::string& name,
                                         const OptionValues& changes = {}, double x0 = 0.3) {
  const MethodKind& kind = method_named(name);
  auto method = kind.make<Real>(small.world, settings_of(kind, changes));
  method->start(std::vector<Real>(static_cast<std::size_t>(small.world.d()), static_cast<Real>(x0)));
  return method;
}

}  // namespace doc2s::testing
