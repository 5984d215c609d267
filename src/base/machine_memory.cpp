// SPDX-License-Identifier: Apache-2.0
#include "machine_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

double page_bytes() { return static_cast<double>(sysconf(_SC_PAGESIZE)); }

// The number after `name` in a file of lines "name number"; `fallback` where there is none.
double number_after(const std::string& name, const char* path, double fallback) {
  std::ifstream file(path);
  for (std::string word; file >> word;)
    if (double number = 0; word == name && file >> number) return number;
  return fallback;
}

double first_number(const std::string& path, double fallback) {
  double number = 0;
  return std::ifstream(path) >> number ? number : fallback;
}

double free_on_machine() {
  constexpr double kilobyte = 1024;
  const auto kilobytes = [](const char* name, double fallback) {
    return kilobyte * number_after(name, "/proc/meminfo", fallback);
  };
  return kilobytes("MemAvailable:", machine_memory() / kilobyte) + kilobytes("SwapFree:", 0);
}

double free_in_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  return static_cast<double>(limit.rlim_cur) - page_bytes() * first_number("/proc/self/statm", 0);
}

// Of control groups of version 2, this process's own and those above it.
double free_in_control_group() {
  std::ifstream file("/proc/self/cgroup");
  double least = unlimited;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("0::")) continue;
    for (std::string group = line.substr(3); !group.empty(); group.resize(group.rfind('/'))) {
      const std::string folder = "/sys/fs/cgroup" + group;
      const double most = first_number(folder + "/memory.max", unlimited);  // or "max"
      least = std::min(least, most - first_number(folder + "/memory.current", 0));
    }
  }
  return least;
}

}  // namespace

double machine_memory() { return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * page_bytes(); }

double free_memory() {
  return std::max(0.0, std::min({free_on_machine(), free_in_address_space(), free_in_control_group()}));
}

void require_memory(double bytes, const std::string& what, const std::string& where,
                    const std::string& hint) {
  constexpr double small = 1e8;  // not worth asking the system
  if (bytes < small) return;
  const double there = free_memory();
  if (bytes > there)
    throw MachineError(
        fmt::format("{} need {:.3g} GB of memory, and {:.3g} GB of this machine's {:.3g} are free", what,
                    bytes / 1e9, there / 1e9, machine_memory() / 1e9),
        where, hint);
}

}  // namespace doc2s
