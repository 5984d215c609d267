// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cerrno>

namespace doc2s {

// A system call, made again for as long as signals interrupt it.
template <class Call>
auto uninterrupted(const Call& call) {
  auto answer = call();
  while (answer < 0 && errno == EINTR) answer = call();
  return answer;
}

}  // namespace doc2s
