#include "ended_run.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "data/files.hpp"
#include "record_json.hpp"

namespace doc2s {

std::optional<Summary> summary_of_ended(const std::string& directory) {
  const std::string path = directory + "/summary.json";
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return std::nullopt;
  const std::string text = read_whole(path);
  const auto record = record_from(text);
  const auto all = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!record || !all.contains("status") || !all["status"].is_string()) return std::nullopt;
  Summary summary;
  summary.status = status_from(all["status"].get<std::string>());
  if (!has_ended(summary.status)) return std::nullopt;
  summary.end = *record;
  if (all.contains("iterations") && all["iterations"].is_number())
    summary.end["iteration"] = all["iterations"].get<double>();
  if (all.contains("checkpoint") && all["checkpoint"].is_number_integer())
    summary.checkpoint = all["checkpoint"].get<Index>();
  summary.directory = directory;
  return summary;
}

}  // namespace doc2s
