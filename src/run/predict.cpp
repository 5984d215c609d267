// SPDX-License-Identifier: Apache-2.0
#include "predict.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "certify.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "problems/inputs_problem.hpp"
#include "problems/new_samples.hpp"

namespace doc2s {

namespace {

PointsToCertify point_of(const PredictRequest& request) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(request.run, unknown))
    throw Error("is not the directory of a run", request.run, "give the --out of a finished run");
  const bool last = request.client == "last";
  if (request.client == "all")
    throw Error("is neither \"last\" nor a client's number", "--client " + request.client,
                "last is the model that all have");
  return points_to_certify({request.run, "", last ? "last" : "output", last ? "all" : request.client});
}

Preprocessing preprocessing_of(const std::string& run, const Settings& problem) {
  const std::string path = run + "/preprocessing.json";
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    throw Error("the run has no preprocessing.json", run,
                "only runs of svm, mlp, resnet18 and torchscript have it");
  Preprocessing how = parse_preprocessing(read_plain(path), path);
  if (how.problem != problem.text("name"))
    throw Error("belongs to another problem than config.toml", path, "start the run again");
  return how;
}

std::vector<double> outputs_of(const Config& config, const TrainedModel& model, const NewSamples& samples) {
  const ProblemKind& kind = kind_named(problem_kinds(), config.problem, "name");
  const bool single = config.general.text("precision") == "float32";
  return (single ? kind.apply_float : kind.apply_double)(model, samples);
}

void add_sign(double output, Predictions& made) {
  made.predicted.push_back(output > 0 ? 1 : 0);
  made.scores.push_back(std::abs(output));
}

// exp z_best / Σ exp z_c
double probability(std::span<const double> outputs, Index best) {
  double sum = 0;
  for (const double output : outputs) sum += std::exp(output - outputs[best]);
  return 1 / sum;
}

void add_largest(std::span<const double> outputs, bool softmax, Predictions& made) {
  const Index best = largest_of(outputs);
  made.predicted.push_back(static_cast<double>(best));
  made.scores.push_back(softmax ? probability(outputs, best) : outputs[best]);
}

}  // namespace

Predictions predict(const PredictRequest& request) {
  const PointsToCertify asked = point_of(request);
  const Settings& problem = asked.config.problem;
  const Preprocessing how = preprocessing_of(request.run, problem);
  NewSamples samples = read_new_samples(request.data, how);
  std::vector<double> outputs = outputs_of(asked.config, {how, problem, asked.points.front().point}, samples);
  Predictions made{
      how.classes, {}, {}, std::move(samples.truth), std::move(samples.places), std::move(samples.notices)};
  const bool softmax = !problem.has("loss") || problem.text("loss") == "cross_entropy";
  const std::size_t width = how.classes.size();
  if (width == 0)
    made.predicted = std::move(outputs);
  else if (how.problem == "svm")
    for (const double output : outputs) add_sign(output, made);
  else
    for (std::size_t first = 0; first < outputs.size(); first += width)
      add_largest(std::span(outputs).subspan(first, width), softmax, made);
  return made;
}

std::string Predictions::name(double one) const {
  return classes.empty() ? fmt::format("{}", one) : classes[static_cast<std::size_t>(one)];
}

double Predictions::accuracy() const {
  Index right = 0;
  for (std::size_t row = 0; row < truth.size(); ++row) right += predicted[row] == truth[row];
  return static_cast<double>(right) / static_cast<double>(truth.size());
}

double Predictions::rmse() const { return root_mean_square_error(predicted, truth); }

double Predictions::mae() const {
  double sum = 0;
  for (std::size_t row = 0; row < truth.size(); ++row) sum += std::abs(predicted[row] - truth[row]);
  return sum / static_cast<double>(truth.size());
}

}  // namespace doc2s
