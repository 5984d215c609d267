// SPDX-License-Identifier: Apache-2.0
#include "doc2s/base/error.hpp"

#include <cerrno>
#include <cstring>

namespace doc2s {

namespace {

std::string sentence(const std::string& what, const std::string& where, const std::string& hint) {
  std::string text = where.empty() ? what : where + ": " + what;
  if (!hint.empty()) text += "; " + hint;
  return text;
}

}  // namespace

Error::Error(std::string what, std::string where, std::string hint)
    : what_(std::move(what)),
      where_(std::move(where)),
      hint_(std::move(hint)),
      message_(sentence(what_, where_, hint_)) {}

void throw_system_error(const std::string& what, const std::string& path, int error_number) {
  const std::string text = what + " (" + std::strerror(error_number) + ")";
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EIO:
    case EFBIG:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
      throw MachineError(text, path);
    default:
      throw Error(text, path);
  }
}

}  // namespace doc2s
