// SPDX-License-Identifier: Apache-2.0
#include "doc2s/base/version.hpp"

namespace doc2s {

const char* version() { return DOC2S_VERSION; }

}  // namespace doc2s
