#pragma once
#include "doc2s/algorithms/kinds.hpp"

namespace doc2s {

MethodKind doc2s_kind();

}  // namespace doc2s
