// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>

// The kernels are the loops that take the time, in the files *_kernels.cpp. Each is compiled for several
// instruction sets and has the same bits with all of them. docs/design.md says how to add one.
namespace doc2s {

enum class KernelSet { baseline, avx2, native };  // what every x86-64 runs; AVX2; the machine of the build

bool has_kernels(KernelSet set);   // whether they were built, and this processor runs them
void use_kernels(KernelSet set);   // from now on; not while threads compute. Throws Error if it has none.
void require_kernels_asked_for();  // throws Error if $DOC2S_KERNELS names none, or some that it has not
std::string kernels_name();        // those in force: "baseline", "avx2", or e.g. "native-avx512"

// $DOC2S_KERNELS, else the fastest there are; chosen before main().
extern KernelSet kernels_in_force;

struct Baseline;
struct Avx2;
struct Native;

// What this build has (cmake/Kernels.cmake).
constexpr bool baseline_kernels_built = DOC2S_BASELINE_KERNELS, avx2_kernels_built = DOC2S_AVX2_KERNELS,
               native_kernels_built = DOC2S_NATIVE_KERNELS;

// call(Kernels<Set, Real>{}) with the set in force. A build for one machine has one set and nothing to
// choose.
template <template <class Set, class Real> class Kernels, class Real, class Call>
[[gnu::always_inline]] inline decltype(auto) by_kernels(const Call& call) {
  if constexpr (!baseline_kernels_built) {
    return call(Kernels<Native, Real>{});
  } else {
    if constexpr (native_kernels_built)
      if (kernels_in_force == KernelSet::native) return call(Kernels<Native, Real>{});
    if constexpr (avx2_kernels_built)
      if (kernels_in_force == KernelSet::avx2) return call(Kernels<Avx2, Real>{});
    return call(Kernels<Baseline, Real>{});
  }
}

// Defines name<Real>(…), which calls Kernels<Set, Real>::name(…) of the set in force.
#define DOC2S_KERNEL(Kernels, name)                                                         \
  template <class Real, class... Arguments>                                                 \
  auto name(Arguments&&... arguments) {                                                     \
    return by_kernels<Kernels, Real>(                                                       \
        [&](auto kernels) { return kernels.name(std::forward<Arguments>(arguments)...); }); \
  }

}  // namespace doc2s
