// SPDX-License-Identifier: Apache-2.0
#include "theory/certificate_file.hpp"

#include <gtest/gtest.h>

#include "base/sha256.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {
namespace {

CertificateFile example() {
  CertificateFile file;
  file.problem = "[problem]\nname = \"svm\"\n";
  file.seed = 1234567890123456789;
  file.epsilon = 0.1 + 0.2;
  for (Index client = 0; client < 3; ++client)
    file.entries.push_back({client * client,
                            {.centre = {0.1, -3e-300, 7},
                             .delta = 1.0 / 3,
                             .points = {{0.1, 0, 7}, {1.0 / 7, 0, 7}},
                             .weights = {0.25, 0.75},
                             .bound = 0.5,
                             .value = -1}});
  return file;
}

std::string hashed(const std::string& content) { return content + Sha256().add(content).hex() + "\n"; }

std::string reason(const std::string& bytes) {
  try {
    parse_certificates(bytes, "it");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(CertificateFile, ComesBackToTheLastBit) {
  const CertificateFile file = example();
  const std::string bytes = certificate_bytes(file);
  const CertificateFile back = parse_certificates(bytes, "it");
  EXPECT_EQ(back.problem, file.problem);
  EXPECT_EQ(back.seed, file.seed);
  EXPECT_EQ(back.epsilon, file.epsilon);
  ASSERT_EQ(back.entries.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const Certificate &a = back.entries[k].certificate, &b = file.entries[k].certificate;
    EXPECT_EQ(back.entries[k].client, file.entries[k].client);
    EXPECT_EQ(a.centre, b.centre);
    EXPECT_EQ(a.delta, b.delta);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.weights, b.weights);
    EXPECT_EQ(a.bound, b.bound);
    EXPECT_EQ(a.value, b.value);
  }
  EXPECT_EQ(certificate_bytes(back), bytes);
}

TEST(CertificateFile, NamesEachClientOnceInOrderOrNone) {
  CertificateFile file = example();
  file.entries[1].client = 0;
  EXPECT_NE(reason(certificate_bytes(file)).find("order of the clients"), std::string::npos);
  file.entries[1].client = std::nullopt;  // a point of all clients stands alone
  EXPECT_NE(reason(certificate_bytes(file)).find("order of the clients"), std::string::npos);
  file.entries.erase(file.entries.begin()), file.entries.pop_back();
  EXPECT_EQ(parse_certificates(certificate_bytes(file), "it").entries.front().client, std::nullopt);
}

TEST(CertificateFile, EveryChangedBitAndEveryCutIsRefused) {
  const std::string bytes = certificate_bytes(example());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    EXPECT_NE(reason(changed), "") << at;
    EXPECT_NE(reason(bytes.substr(0, at)), "") << at;
  }
  EXPECT_NE(reason(bytes + "x"), "");
  EXPECT_NE(reason(bytes + bytes), "");
}

// A right hash does not help a wrong file: it is refused before memory is taken for what it claims.
TEST(CertificateFile, HostileFilesWithARightHash) {
  const std::string bytes = certificate_bytes(example());
  const std::string content = bytes.substr(0, bytes.size() - 65);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = content;
    const auto at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return reason(hashed(text.replace(at, from.size(), to)));
  };
  EXPECT_EQ(reason(hashed(content)), "");
  for (const char* number :
       {"9223372036854775807", "1000000000000", "-1", "0", "4", "2", "1e99", "null", "\"3\""}) {
    EXPECT_NE(changed("\"dimension\": 3", std::string("\"dimension\": ") + number), "") << number;
    EXPECT_NE(changed("\"certificates\": 3", std::string("\"certificates\": ") + number), "") << number;
  }
  EXPECT_NE(changed("\"sampled\": 0", "\"sampled\": -1"), "");
  EXPECT_NE(changed("\"delta\"", "\"dolta\""), "");
  EXPECT_NE(changed("{", "["), "");
  EXPECT_NE(reason(hashed("doc2s certificate 1\n")), "");
  EXPECT_NE(reason(hashed("doc2s certificate 1\n\n")), "");
  EXPECT_NE(reason(hashed("doc2s certificate 1\n" + std::string(300000, '['))), "");
  EXPECT_NE(reason(hashed("doc2s certificate 2\n{}\n")), "");
  std::string points = content;  // the first certificate's number of points, behind the head and its client
  const std::size_t at = points.find('\n', points.find('\n') + 1) + 1 + sizeof(Index);
  const Index many = Index{1} << 60;
  points.replace(at, sizeof many, reinterpret_cast<const char*>(&many), sizeof many);
  EXPECT_NE(reason(hashed(points)).find("ends within"), std::string::npos);
}

}  // namespace
}  // namespace doc2s
