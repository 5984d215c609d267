#pragma once

namespace doc2s {

// The coefficients of the series in normal_pairs.hpp in the order of their use. The first steps, whose errors
// the later ones make small, are done in a cheaper way: those of sine and cosine are multiplied out, and all
// may be fused, a b + c with one rounding. The sums stay the same to the bit for all of the 2³² u and 2²⁹ x²
// that there are: tests try them. One step more and some would differ.
struct SeriesCoefficients {
  static constexpr int log_steps = 10, fused_log_steps = 6;
  static constexpr int steps = 9, first_sine_steps = 5, first_cosine_steps = 4;
  double log[log_steps + 1];          // Σ_k f²ᵏ/(2k + 1), from k = 10 on
  double sine[steps], cosine[steps];  // c of 1 − s x² c
  double first_sine[first_sine_steps + 1], first_cosine[first_cosine_steps + 1];  // a polynomial of x²

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
