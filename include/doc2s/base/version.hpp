// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace doc2s {

const char* version();

}  // namespace doc2s
