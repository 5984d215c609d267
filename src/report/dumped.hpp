#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace doc2s {

// As one line; bytes that are no UTF-8 are replaced.
inline std::string dumped(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace doc2s
