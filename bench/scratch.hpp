// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <span>
#include <string>

namespace doc2s::bench {

// A temporary folder under $TMPDIR or /tmp, removed with its contents.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path() const { return folder_.string(); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  void write(const std::string& name, std::string_view bytes) const;
  template <class Number>
  void write_numbers(const std::string& name, std::span<const Number> numbers) const {
    write(name, {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace doc2s::bench
