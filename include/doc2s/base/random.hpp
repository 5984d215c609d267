// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "doc2s/base/types.hpp"

namespace doc2s {

// What a random number is used for. Two purposes never share a number. The values are part of the trajectory.
enum class Purpose : std::uint8_t {
  sampled_client = 1,  // i^t
  interpolation = 2,   // s_i
  batch = 3,           // ξ
  direction = 4,       // z
  output = 5,          // which epoch's mean becomes the output
  start = 6,           // x0
  partition = 7,
  graph = 8,
  synthetic = 9,
  evaluation = 10,           // samples for the losses in records
  constants = 12,            // points where L and G are sampled
  augmentation = 13,         // crops and flips of a batch's images
  probe = 14,                // point where a resumed run checks that its problem is unchanged
  gradient_check = 15,       // points and directions where a gradient is compared with values
  certificate = 20,          // search points of a certificate
  certificate_samples = 21,  // samples of an estimated certificate
  tuning = 30,               // values that are tried
  validation = 35,           // rows that problem.validation holds back
  link = 40,                 // whether a link is up in a round
  link_trial = 41,           // the same, for what is expected of rounds
  contraction_probe = 42,    // numbers whose disagreement a run's rounds are measured by
};

// Counter-based random numbers (Philox4x32-10 of Random123). They are a pure function of the key, so there is
// no state to share, order or checkpoint, and every process and thread gets the same numbers.
class Random {
 public:
  Random(std::uint64_t seed, Purpose purpose, std::uint32_t client = 0, Tick tick = 0,
         std::uint16_t draw = 0);

  std::uint32_t bits();                      // the next 32 bits
  double uniform();                          // [0, 1) on the grid 2⁻⁵³
  std::uint64_t below(std::uint64_t bound);  // uniform on 0..bound−1, unbiased
  double exponential();                      // Exp(1)
  double normal();                           // standard normal
  double gamma(double shape);                // Gamma(shape, 1), shape > 0
  double log_gamma_draw(double shape);  // log of a Gamma(shape, 1) draw; does not underflow for tiny shapes

  // Standard normals number first, first+1, … of this key, independent of earlier draws, so that threads can
  // fill disjoint parts of a long vector. `first` must be a multiple of 4.
  template <class Real>
  void normals(Index first, std::span<Real> out) const;

 private:
  using Block = std::array<std::uint32_t, 4>;
  Block block(std::uint32_t number) const;

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 3> place_;  // the counter's upper words
  Block current_{};
  std::uint32_t next_block_ = 0;
  int used_ = 4;
};

}  // namespace doc2s
