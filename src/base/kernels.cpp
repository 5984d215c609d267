// SPDX-License-Identifier: Apache-2.0
#include "kernels.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "doc2s/base/error.hpp"
#include "text.hpp"

namespace doc2s {

namespace {

constexpr KernelSet fastest_first[] = {KernelSet::native, KernelSet::avx2, KernelSet::baseline};
constexpr const char* asked_by = "DOC2S_KERNELS";

const char* name_of(KernelSet set) {
  return set == KernelSet::native ? "native" : set == KernelSet::avx2 ? "avx2" : "baseline";
}

bool built(KernelSet set) {
  if (set == KernelSet::native) return native_kernels_built;
  return set == KernelSet::avx2 ? avx2_kernels_built : baseline_kernels_built;
}

bool processor_runs([[maybe_unused]] KernelSet set) {
#if DOC2S_AVX2_KERNELS
  __builtin_cpu_init();
  if (set == KernelSet::avx2) return __builtin_cpu_supports("avx2");
#endif
  return true;
}

// $DOC2S_KERNELS; "" if it is not set.
std::string asked_for() {
  const char* const name = std::getenv(asked_by);
  return name ? name : "";
}

// Before main() nothing can be reported: a name that does not fit is taken as none.
KernelSet chosen_at_start() {
  const std::string asked = asked_for();
  for (const KernelSet set : fastest_first)
    if (has_kernels(set) && (asked.empty() || asked == name_of(set))) return set;
  return *std::find_if(std::begin(fastest_first), std::end(fastest_first), has_kernels);
}

void require_kernels(const std::string& name) {
  std::vector<std::string> there;
  for (const KernelSet set : fastest_first) {
    if (built(set)) there.emplace_back(name_of(set));
    if (name != name_of(set) || !built(set)) continue;
    if (processor_runs(set)) return;
    throw Error("this processor has no AVX2, which the kernels \"avx2\" need", asked_by, "leave it out");
  }
  throw Error("this build has no kernels " + printable(name), asked_by,
              "leave it out or choose one of " + joined(there));
}

}  // namespace

KernelSet kernels_in_force = chosen_at_start();

bool has_kernels(KernelSet set) { return built(set) && processor_runs(set); }

void use_kernels(KernelSet set) {
  require_kernels(name_of(set));
  kernels_in_force = set;
}

void require_kernels_asked_for() {
  if (const std::string asked = asked_for(); !asked.empty()) require_kernels(asked);
}

std::string kernels_name() {
  const std::string name = name_of(kernels_in_force);
  if (kernels_in_force != KernelSet::native) return name;
#if defined(__AVX512F__)
  return name + "-avx512";
#elif defined(__AVX2__)
  return name + "-avx2";
#else
  return name;
#endif
}

}  // namespace doc2s
