// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>
#include <initializer_list>
#include <string>

// .npy files as NumPy writes them, for the tests of their readers.
namespace doc2s::data_testing {

inline std::string npy(const std::string& head, const std::string& numbers, char version = 1) {
  std::string start = std::string("\x93NUMPY") + version + '\0';
  start += static_cast<char>(head.size() & 0xff);
  start += static_cast<char>(head.size() >> 8);
  if (version > 1) start += std::string(2, '\0');
  return start + head + numbers;
}

template <class Number>
std::string bytes_of(std::initializer_list<Number> numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.begin(), bytes.size());
  return bytes;
}

inline std::string head(const std::string& type, const std::string& shape,
                        const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': (" + shape + "), }      \n";
}

template <class Number>
std::string npy_of(const std::string& type, const std::string& shape, std::initializer_list<Number> numbers,
                   const std::string& fortran = "False") {
  return npy(head(type, shape, fortran), bytes_of<Number>(numbers));
}

}  // namespace doc2s::data_testing
