// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace doc2s {

// SHA-256 by OpenSSL's libcrypto, of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  Sha256& add(std::string_view bytes);
  std::string hex() const;  // 64 digits, of what was added so far

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  using Context = std::unique_ptr<evp_md_ctx_st, Free>;
  static Context make_context();

  Context context_;
};

}  // namespace doc2s
