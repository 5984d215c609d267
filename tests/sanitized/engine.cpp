// SPDX-License-Identifier: Apache-2.0
// engine CONFIG DIRECTORY [resume]: a run by the engine alone, for builds with the thread sanitizer and for valgrind
// (engine.py); prints the hash of its trajectory.
#include <cstdio>
#include <exception>
#include <string>

#include "doc2s/run/run.hpp"

int main(int argc, char** argv) try {
  if (argc < 3) return 2;
  doc2s::RunOptions options;
  options.directory = argv[2];
  options.resume = argc > 3 && argv[3] == std::string("resume");
  const auto summary = doc2s::run(doc2s::read_configs(argv[1]).front(), options);
  std::puts(summary.trajectory.c_str());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "engine: %s\n", error.what());
  return 1;
}
