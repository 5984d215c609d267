// SPDX-License-Identifier: Apache-2.0
#include "saved_certificates.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "data/npy.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

// The points that a run left, read when they are first asked for.
class RunPoints {
 public:
  explicit RunPoints(const fs::path& directory) : directory_(directory) {}

  bool holds(std::optional<Index> client, std::span<const double> point) {
    if (client) return holds("output.npy", *client, point);
    return holds("last.npy", 0, point) || holds("output.npy", 0, point);  // where all clients have one output
  }

 private:
  bool holds(const std::string& name, Index row, std::span<const double> point) {
    const NpyArray& array = read(name);
    return row < array.rows && std::ranges::equal(array.row(row), point);
  }

  const NpyArray& read(const std::string& name) {
    const auto found = arrays_.find(name);
    return found != arrays_.end()
               ? found->second
               : arrays_.emplace(name, read_npy((directory_ / name).string())).first->second;
  }

  fs::path directory_;
  std::map<std::string, NpyArray> arrays_;
};

std::vector<fs::path> certificate_files(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code unknown;
  for (const auto& entry : fs::directory_iterator(directory, unknown))
    if (entry.path().extension() == ".certificate" && entry.is_regular_file(unknown))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<SavedCertificates> saved_certificates(const std::string& directory,
                                                  std::vector<std::string>& notes) {
  std::vector<SavedCertificates> all;
  RunPoints points(directory);
  for (const fs::path& path : certificate_files(directory)) {
    const std::string file = path.filename().string();
    try {
      std::ifstream bytes(path, std::ios::binary);
      bool own = true;
      const CertificateFigures figures =
          certificate_figures(bytes, static_cast<Index>(fs::file_size(path)), file,
                              [&](auto client, auto point) { own = own && points.holds(client, point); });
      if (own)
        all.push_back({file, figures});
      else
        notes.push_back(file + " is about other points than the run's and was left out");
    } catch (const std::exception& error) {
      notes.push_back(file + " was left out: " + error.what());
    }
  }
  return all;
}

}  // namespace doc2s
