// SPDX-License-Identifier: Apache-2.0
#include "torch_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "doc2s/base/error.hpp"

namespace fs = std::filesystem;

namespace doc2s {

namespace {

// The file that this code was loaded from: the program, or Python's module.
fs::path own_file() {
  Dl_info info{};
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  const bool known = dladdr(reinterpret_cast<const void*>(&own_file), &info) != 0 && info.dli_fname;
  return known && fs::path(info.dli_fname).extension() == ".so" ? fs::path(info.dli_fname) : program;
}

// $DOC2S_TORCH_LIBRARY, else beside the program or module, above it (a build's), in the launcher's build, or
// in the install location.
std::string torch_library_path() {
  if (const char* given = std::getenv("DOC2S_TORCH_LIBRARY")) return given;
  std::error_code unknown;
  const fs::path folder = own_file().parent_path();
  for (const char* there : {".", "..", "../torch", "../..", "../../../torch", DOC2S_PLUGINS_FROM_PROGRAM,
                            DOC2S_PLUGINS_FROM_MODULE})
    if (const fs::path path = folder / there / torch_library_name; fs::exists(path, unknown))
      return path.string();
  return "";
}

const TorchLibrary& open_torch_library(const std::string& path) {
  void* const opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened) throw MachineError(std::string("cannot be opened: ") + dlerror(), path, "rebuild it");
  const auto identity = reinterpret_cast<TorchIdentity>(dlsym(opened, torch_identity_name));
  if (!identity || std::string(identity()) != torch_identity())
    throw MachineError("this library was built from other sources than the program", path,
                       "build both again from the same ones; ./doc2s does so");
  return *reinterpret_cast<TorchEntry>(dlsym(opened, torch_entry_name))();
}

const TorchLibrary& torch_library(const std::string& where) {
  static const std::string path = torch_library_path();
  if (path.empty())
    throw Error(
        "this doc2s was built without libtorch, which this problem needs", where,
        "install the package doc2s-torch, or run such a config through ./doc2s, which builds it, or build "
        "with -DDOC2S_TORCH=ON; DOC2S_TORCH_LIBRARY names a libdoc2s_torch.so elsewhere");
  static const TorchLibrary& library = open_torch_library(path);
  return library;
}

void check_labels(const HeldInputs& train, const Inputs& test) {
  doc2s::check_labels(train.inputs, train.inputs.classes);
  doc2s::check_labels(test, train.inputs.classes);
}

}  // namespace

void require_torch(const std::string& where) { torch_library(where); }

bool has_torch() { return !torch_library_path().empty(); }

template <>
std::unique_ptr<InputsProblem<float>> make_torch_problem(HeldInputs train, Inputs test,
                                                         const TorchSetting& setting) {
  check_labels(train, test);
  return torch_library(setting.where).make_float(std::move(train), std::move(test), setting);
}

template <>
std::unique_ptr<InputsProblem<double>> make_torch_problem(HeldInputs train, Inputs test,
                                                          const TorchSetting& setting) {
  check_labels(train, test);
  return torch_library(setting.where).make_double(std::move(train), std::move(test), setting);
}

std::unique_ptr<PlainPass> make_plain_pass(const HeldInputs& train, std::span<const Index> rows,
                                           std::span<const float> x, const TorchSetting& setting) {
  return torch_library(setting.where).plain_pass(train, rows, x, setting);
}

}  // namespace doc2s
