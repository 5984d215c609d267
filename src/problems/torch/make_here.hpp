#pragma once
#include "problems/torch.hpp"

namespace doc2s {

// make_torch_problem inside libdoc2s_torch.so.
template <class Real>
std::unique_ptr<Problem<Real>> make_here(HeldImages train, Images test, const TorchSetting& setting);

}  // namespace doc2s
