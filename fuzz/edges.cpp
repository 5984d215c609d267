// SPDX-License-Identifier: Apache-2.0
#include "doc2s/network/network.hpp"
#include "target.hpp"

DOC2S_FUZZ_TARGET(bytes) {
  static doc2s::fuzz::InputFile file;
  if (doc2s::fuzz::seems_packed(bytes)) return;
  doc2s::Settings network("network");
  network.set("graph", "file");
  network.set("weights", "metropolis");
  network.set("lazy", false);
  network.set("edges", file.filled(bytes));
  doc2s::make_network(6, network, 1);
}
