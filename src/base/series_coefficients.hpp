// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace doc2s {

// Coefficients of the series in normal_pairs.hpp, in order of use. Later steps shrink the errors of the first
// steps, so the first steps use cheaper forms: sine and cosine are multiplied out, and all may use fused
// multiply-add. The sums keep their bits for all 2³² u and 2²⁹ x²; tests try them all. With one more such
// step some sums would differ.
struct SeriesCoefficients {
  static constexpr int log_steps = 10, fused_log_steps = 6;
  static constexpr int steps = 9, first_sine_steps = 5, first_cosine_steps = 4;
  double log[log_steps + 1];          // Σ_k f²ᵏ/(2k + 1), from k = 10 down
  double sine[steps], cosine[steps];  // c of 1 − s x² c
  double first_sine[first_sine_steps + 1], first_cosine[first_cosine_steps + 1];  // polynomials in x²

  constexpr SeriesCoefficients() : log(), sine(), cosine(), first_sine(), first_cosine() {
    for (int i = 0; i <= log_steps; ++i) log[i] = 1.0 / (21 - 2 * i);
    for (int i = 0; i < steps; ++i) {
      const int k = 18 - 2 * i;
      sine[i] = 1.0 / (k * (k + 1));
      cosine[i] = 1.0 / (k * (k - 1));
    }
    multiply_out(first_sine, first_sine_steps, 1);
    multiply_out(first_cosine, first_cosine_steps, -1);
  }

 private:
  static constexpr void multiply_out(double* to, int count, int other) {
    long double product = 1;
    for (int i = count; i >= 0; --i) {
      to[i] = static_cast<double>(product);
      const int k = 20 - 2 * i;
      product /= -k * (k + other);
    }
  }
};

}  // namespace doc2s
