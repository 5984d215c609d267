// SPDX-License-Identifier: Apache-2.0
#include "trial_file.hpp"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/file_writer.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr const char* rungs_file = "rungs.json";

std::string rung_text(const Reached& rung) {
  return JsonObject()
      .add("count", rung.count)
      .add("score", rung.score)
      .add("status", to_text(rung.status))
      .line();
}

Reached rung_from(const nlohmann::json& rung) {
  const auto& score = rung.at("score");
  return {rung.at("count").get<double>(),
          score.is_null() ? std::numeric_limits<double>::quiet_NaN() : score.get<double>(),
          status_from(rung.at("status").get<std::string>())};
}

}  // namespace

std::vector<Reached> read_rungs(const std::string& directory) {
  const std::string path = directory + "/" + rungs_file;
  std::vector<Reached> rungs;
  if (!std::filesystem::exists(path)) return rungs;
  try {
    for (const auto& rung : nlohmann::json::parse(read_whole(path))) rungs.push_back(rung_from(rung));
  } catch (const nlohmann::json::exception&) {
    throw Error("is damaged", path, "remove that folder, and the trial is run again");
  }
  return rungs;
}

void write_rungs(const std::string& directory, const std::vector<Reached>& rungs) {
  std::vector<std::string> lines;
  for (const Reached& rung : rungs) lines.push_back(rung_text(rung));
  write_whole(directory, rungs_file, "[" + joined(lines, ",\n ") + "]\n");
}

}  // namespace doc2s
