// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace doc2s {

double machine_memory();  // bytes of physical memory

// Bytes that this process can still get: of what is free, what its control group and what ulimit -v allow the
// least.
double free_memory();

// Throws MachineError: "WHAT need 960 GB of memory, and 21 GB of this machine's 25 are free".
void require_memory(double bytes, const std::string& what, const std::string& where, const std::string& hint);

}  // namespace doc2s
