// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace doc2s {

std::string json(double number);  // the shortest text that round-trips; null if not finite
std::string json(const std::string& text);

// A list with an object a line.
std::string json_list(const std::vector<std::string>& objects);

// One JSON object; keeps the order of its members.
class JsonObject {
 public:
  JsonObject& add(const std::string& key, double number) { return add_raw(key, json(number)); }
  JsonObject& add(const std::string& key, std::int64_t number) {
    return add_raw(key, std::to_string(number));
  }
  JsonObject& add(const std::string& key, int number) { return add_raw(key, std::to_string(number)); }
  JsonObject& add(const std::string& key, bool flag) { return add_raw(key, flag ? "true" : "false"); }
  JsonObject& add(const std::string& key, const std::string& text) { return add_raw(key, json(text)); }
  JsonObject& add(const std::string& key, const char* text) { return add_raw(key, json(std::string(text))); }
  JsonObject& add_raw(const std::string& key, const std::string& written);

  std::string line() const { return "{" + members_ + "}"; }
  std::string lines() const;  // one member per line

 private:
  std::string members_, spread_;
};

}  // namespace doc2s
