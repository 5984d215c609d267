#pragma once
#include <fstream>
#include <string>

namespace doc2s {

// A file that gets its name only when it is complete.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream() { return stream_; }
  void finish();

 private:
  std::string path_, part_;
  std::ofstream stream_;
};

}  // namespace doc2s
