#pragma once

namespace doc2s {

const char* version();

}  // namespace doc2s
