#include "sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace doc2s {

namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t big_endian(const char* bytes) {
  std::uint32_t word = 0;
  for (int k = 0; k < 4; ++k) word = word << 8 | static_cast<unsigned char>(bytes[k]);
  return word;
}

std::array<std::uint32_t, 64> schedule(const char* bytes) {
  std::array<std::uint32_t, 64> w;
  for (int t = 0; t < 16; ++t) w[t] = big_endian(bytes + 4 * t);
  for (int t = 16; t < 64; ++t) {
    const std::uint32_t x = w[t - 15], y = w[t - 2];
    w[t] = w[t - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3) + w[t - 7] +
           (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10);
  }
  return w;
}

}  // namespace

void Sha256::block(const char* bytes) {
  const auto w = schedule(bytes);
  auto [a, b, c, d, e, f, g, h] = state_;
  for (int t = 0; t < 64; ++t) {
    const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                              ((e & f) ^ (~e & g)) + constants[t] + w[t];
    const std::uint32_t two =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one;
    d = c, c = b, b = a, a = one + two;
  }
  const std::uint32_t after[] = {a, b, c, d, e, f, g, h};
  for (int k = 0; k < 8; ++k) state_[k] += after[k];
}

Sha256& Sha256::add(std::string_view bytes) {
  std::size_t waiting = length_ % 64;
  length_ += bytes.size();
  if (waiting > 0) {
    const std::size_t taken = std::min(64 - waiting, bytes.size());
    std::copy_n(bytes.begin(), taken, waiting_.begin() + waiting);
    bytes.remove_prefix(taken);
    if (waiting + taken < 64) return *this;
    block(waiting_.data());
  }
  for (; bytes.size() >= 64; bytes.remove_prefix(64)) block(bytes.data());
  std::copy(bytes.begin(), bytes.end(), waiting_.begin());
  return *this;
}

// Padding: a one bit, zeros up to 8 bytes before a block's end, and the length in bits.
std::string Sha256::hex() const {
  Sha256 end = *this;
  const std::uint64_t bits = length_ * 8;
  end.add("\x80");
  end.add(std::string((120 - end.length_ % 64) % 64, '\0'));
  std::string length(8, '\0');
  for (int k = 0; k < 8; ++k) length[k] = static_cast<char>(bits >> (56 - 8 * k));
  end.add(length);
  std::string digits;
  for (const auto word : end.state_) digits += fmt::format("{:08x}", word);
  return digits;
}

}  // namespace doc2s
