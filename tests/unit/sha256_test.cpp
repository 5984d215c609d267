// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.hpp"

#include <gtest/gtest.h>

namespace doc2s {
namespace {

std::string sum(const std::string& bytes) { return Sha256().add(bytes).hex(); }

// The examples of FIPS 180 and of NIST's test vectors.
TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(sum(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sum("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sum("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      sum("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
          "mnopqrstnopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sum("\xbd"), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
  EXPECT_EQ(sum(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// NIST's vectors of zeros around the edges of a block.
TEST(Sha256, ZerosAroundABlock) {
  EXPECT_EQ(sum(std::string(55, '\0')), "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7");
  EXPECT_EQ(sum(std::string(56, '\0')), "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb");
  EXPECT_EQ(sum(std::string(64, '\0')), "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
}

TEST(Sha256, PiecesDoNotMatter) {
  std::string bytes;
  for (int k = 0; k < 500; ++k) bytes += static_cast<char>(k * 37);
  for (std::size_t piece = 1; piece < 200; ++piece) {
    Sha256 pieces;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      pieces.add(std::string_view(bytes).substr(at, piece));
    ASSERT_EQ(pieces.hex(), sum(bytes)) << piece;
    EXPECT_EQ(pieces.hex(), pieces.hex());
  }
}

}  // namespace
}  // namespace doc2s
