// SPDX-License-Identifier: Apache-2.0
#include "sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

void check_libcrypto(int success) {
  if (success != 1) throw Error("libcrypto (OpenSSL) cannot compute a SHA-256 here");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Context Sha256::make_context() {
  Context context(EVP_MD_CTX_new());
  check_libcrypto(context != nullptr);
  return context;
}

Sha256::Sha256() : context_(make_context()) {
  check_libcrypto(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

Sha256& Sha256::add(std::string_view bytes) {
  check_libcrypto(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
  return *this;
}

std::string Sha256::hex() const {
  const Context end = make_context();  // a copy: more may be added later
  std::array<unsigned char, 32> sum;
  check_libcrypto(EVP_MD_CTX_copy_ex(end.get(), context_.get()));
  check_libcrypto(EVP_DigestFinal_ex(end.get(), sum.data(), nullptr));
  std::string digits;
  for (const unsigned char byte : sum) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace doc2s
