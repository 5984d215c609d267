#pragma once
#include "problems/torch.hpp"

namespace doc2s {

// make_torch_problem on this side of the wall.
template <class Real>
std::unique_ptr<Problem<Real>> make_here(HeldImages train, Images test, const TorchSetting& setting);

}  // namespace doc2s
