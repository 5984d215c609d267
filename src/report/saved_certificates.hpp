// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "theory/certificate_figures.hpp"

namespace doc2s {

// A file NAME.certificate in a run's directory, about the run's own points.
struct SavedCertificates {
  std::string file;
  CertificateFigures figures;
};

// Files that are damaged, or about other points than output.npy or last.npy hold now, become notes.
std::vector<SavedCertificates> saved_certificates(const std::string& directory,
                                                  std::vector<std::string>& notes);

}  // namespace doc2s
