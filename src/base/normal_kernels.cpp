// SPDX-License-Identifier: Apache-2.0
#include "normal_kernels.hpp"

#include <type_traits>

#include "normal_batch.hpp"

namespace doc2s {

template <class Set, class Real>
void NormalKernels<Set, Real>::fill(std::array<std::uint32_t, 2> key, std::array<std::uint32_t, 3> place,
                                    Index first, std::span<Real> out) {
  if (out.empty()) return;
  const PhiloxRow row(key, place);
  PhiloxBatch words;
  NormalBatch batch;
  alignas(64) double numbers[batch_normals];
  auto block = static_cast<std::uint32_t>(first / 4);
  for (std::size_t at = 0; at < out.size(); at += batch_normals, block += batch_normals / 4) {
    const std::size_t count = std::min<std::size_t>(batch_normals, out.size() - at);
    const int groups = static_cast<int>((count + group_normals - 1) / group_normals);
    row.fill(block, groups, words);
    if constexpr (std::is_same_v<Real, double>)
      if (count % group_normals == 0) {
        batch.transform(words, groups, out.data() + at);
        continue;
      }
    batch.transform(words, groups, numbers);
    for (std::size_t k = 0; k < count; ++k) out[at + k] = static_cast<Real>(numbers[k]);
  }
}

template struct NormalKernels<DOC2S_KERNEL_SET, float>;
template struct NormalKernels<DOC2S_KERNEL_SET, double>;

}  // namespace doc2s
