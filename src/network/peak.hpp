#pragma once
#include "doc2s/network/spectrum.hpp"

namespace doc2s {

// max |q_R(λ)| over low ≤ λ ≤ high, to about nine digits.
double peak(Rounds rounds, double low, double high);

}  // namespace doc2s
