// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "samples.hpp"

namespace doc2s {

// Reads LIBSVM text, `label index:value …` per line with ascending indices from 1 to 2³¹ − 1, plain or
// compressed. Skips blank lines and `# comments`. `dimension` is the largest index or `least_dimension`,
// whichever is larger; memory use depends on the kept rows, not on the dimension. Throws Error{what,
// path:line} at the first malformed line, even if it is not kept.
Samples read_libsvm(const std::string& path, Index least_dimension = 0, const KeepRow& keep = {});

}  // namespace doc2s
