#pragma once
#include <string>

#include "samples.hpp"

namespace doc2s {

// LIBSVM text, `label index:value …` a line, 1-based ascending indices up to 2³¹ − 1, plain or compressed;
// blank lines and `# comments` are passed over. `dimension` is the largest index unless a larger one is asked
// for; memory goes with the length of what is kept, not with the dimension. Throws Error{what, path:line} at
// the first malformed line, also where it would not be kept.
Samples read_libsvm(const std::string& path, Index least_dimension = 0, const KeepRow& keep = {});

}  // namespace doc2s
