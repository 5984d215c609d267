#pragma once
#include "doc2s/algorithms/kinds.hpp"

namespace doc2s {

// Each in the file of its name.
MethodKind doc2s_kind();
MethodKind me_dol_kind();
MethodKind dgfm_kind();
MethodKind dgfm_plus_kind();

}  // namespace doc2s
