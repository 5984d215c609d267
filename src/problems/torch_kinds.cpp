// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "agreement.hpp"
#include "base/sha256.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "image_data.hpp"
#include "mlp.hpp"
#include "new_samples.hpp"
#include "table_data.hpp"
#include "torch.hpp"
#include "validation.hpp"

namespace doc2s {

namespace {

constexpr Index side = 32, channels = 3;  // of a synthetic image

void synthetic_pictures(const Settings& problem, std::uint64_t seed, Images& train, Images& test) {
  const BlobShape shape{.size = problem.integer("size"),
                        .dimension = channels * side * side,
                        .classes = static_cast<int>(problem.integer("classes")),
                        .noise = problem.real("noise")};
  refuse_many_pixels(problem, shape.size, shape.dimension);
  make_blobs(shape, seed, train, test);
  for (Images* images : {&train, &test}) {
    images->channels = channels;
    images->height = images->width = side;
  }
}

TorchSetting common_setting(const Settings& problem, std::uint64_t seed) {
  TorchSetting setting;
  setting.where = problem.where("name");
  setting.lambda = problem.real("lambda");
  setting.augment = problem.flag("augment");
  setting.running_statistics = problem.text("evaluation_statistics") == "running";
  setting.threads = static_cast<int>(problem.integer("estimate_threads"));
  setting.seed = seed;
  return setting;
}

using Facts = std::vector<std::pair<std::string, Value>>;

template <class Real>
MadeProblem<Real> make(const ProblemRequest& request, const TorchSetting& setting, Facts facts) {
  InputShare data = input_share(request, true, synthetic_pictures);
  MadeProblem<Real> made;
  made.split = std::move(data.split);
  made.facts = {{"data", data.source}, {"lambda", setting.lambda}, {"augment", setting.augment}};
  made.facts.insert(made.facts.end(), facts.begin(), facts.end());
  made.notices = std::move(data.notices);
  made.local_notices = std::move(data.local_notices);
  made.preprocessing = std::move(data.preprocessing);
  made.problem = make_torch_problem<Real>(std::move(data.train), std::move(data.test), setting);
  return made;
}

template <class Real>
std::vector<double> apply(const TrainedModel& model, const NewSamples& samples, const TorchSetting& setting) {
  const auto problem = make_torch_problem<Real>(inputs_alike(model.preprocessing), {}, setting);
  return problem->outputs(samples.inputs, model.point<Real>(problem->dimension()));
}

TorchSetting resnet18_setting(const Settings& problem, std::uint64_t seed) {
  TorchSetting setting = common_setting(problem, seed);
  setting.width = problem.real("width");
  return setting;
}

template <class Real>
MadeProblem<Real> make_resnet18(const ProblemRequest& request) {
  const TorchSetting setting = resnet18_setting(request.problem, request.seed);
  return make<Real>(request, setting, {{"width", setting.width}});
}

template <class Real>
std::vector<double> apply_resnet18(const TrainedModel& model, const NewSamples& samples) {
  return apply<Real>(model, samples, resnet18_setting(model.problem, 0));
}

std::string sum_of_model(const std::string& path) {
  Sha256 sum;
  std::error_code unreachable;
  if (std::filesystem::is_regular_file(path, unreachable))
    read_pieces(path, [&](std::string_view piece) { sum.add(piece); });
  return sum.hex();
}

// Throws Error if the processes read different models.
void require_same_model(Processes& processes, const std::string& sum, const std::string& where) {
  const auto all = processes.gather(sum);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error(fmt::format("process {} has another model than process 0", rank), where,
                  "put the same file on every machine");
}

TorchSetting torchscript_setting(const Settings& problem, std::uint64_t seed) {
  TorchSetting setting = common_setting(problem, seed);
  setting.where = problem.where("model");
  if (!problem.has("model"))
    throw Error(
        "the problem torchscript needs a model", setting.where,
        "give the file that torch.jit.script(model).save(\"model.pt\") wrote, as model = \"model.pt\"");
  setting.model = std::filesystem::absolute(problem.text("model")).lexically_normal().string();
  setting.loss = loss_rule(problem);
  return setting;
}

void refuse_foreign_keys(const Settings& problem) {
  if (!is_table_data(problem))
    refuse_table_keys(problem, {"scaling"});
  else if (problem.flag("augment"))
    throw Error("augment shifts and mirrors images, and the data is a table", problem.where("augment"),
                "leave it out");
}

template <class Real>
MadeProblem<Real> make_torchscript(const ProblemRequest& request) {
  const Settings& problem = request.problem;
  const TorchSetting setting = torchscript_setting(problem, request.seed);
  refuse_foreign_keys(problem);
  const std::string sum = sum_of_model(setting.model);
  require_same_model(request.processes, sum, setting.where);
  MadeProblem<Real> made =
      make<Real>(request, setting, {{"model", setting.model}, {"loss", problem.text("loss")}});
  made.preprocessing.model_sum = sum;
  return made;
}

template <class Real>
std::vector<double> apply_torchscript(const TrainedModel& model, const NewSamples& samples) {
  const TorchSetting setting = torchscript_setting(model.problem, 0);
  if (sum_of_model(setting.model) != model.preprocessing.model_sum)
    throw Error(fmt::format("{} is not the model that the run was started with", setting.model),
                setting.where, "put that file there again");
  return apply<Real>(model, samples, setting);
}

std::vector<Option> common_options() {
  std::vector<Option> options = image_source_options();
  add_options(
      options,
      {real_option("lambda", 0, "weight of the penalty, the sum of the squares of all parameters")
           .at_least(0),
       flag_option("augment", false,
                   "in training, shift each image by up to 4 pixels and mirror it with probability 1/2"),
       text_option("evaluation_statistics", "batch",
                   "statistics for batch norm in losses and accuracy: those of each evaluation batch, or the "
                   "client's running ones from training")
           .one_of({"batch", "running"}),
       integer_option("estimate_threads", 1,
                      "threads that one estimate uses; another number gives other last bits")
           .at_least(1)
           .at_most(256),
       evaluation_option(256), test_images_option(Value(std::int64_t{1000}))});
  add_options(options, synthetic_image_options());
  add_options(options, site_options());
  add_options(options, validation_options());
  return options;
}

}  // namespace

ProblemKind resnet18_kind() {
  ProblemKind kind;
  kind.name = "resnet18";
  kind.summary = "ResNet-18 with batch norm on 32x32 colour images (libtorch)";
  kind.options = common_options();
  kind.options.push_back(real_option("width", 1, "channels of all layers as a share of ResNet-18's own")
                             .at_least(0.125)
                             .at_most(1));
  kind.make_float = make_resnet18<float>;
  kind.make_double = make_resnet18<double>;
  kind.apply_float = apply_resnet18<float>;
  kind.apply_double = apply_resnet18<double>;
  return kind;
}

ProblemKind torchscript_kind() {
  ProblemKind kind;
  kind.name = "torchscript";
  kind.summary = "any network that PyTorch saved with torch.jit.script, on images or tables (libtorch)";
  kind.options = common_options();
  add_options(
      kind.options,
      {text_option("model", std::nullopt, "the TorchScript file; its parameters are the start").as_path(),
       scaling_option({"none", "standardise"}, {},
                      "features of a table as they are (none) or by the training data's mean and deviation; "
                      "default: standardise")});
  add_options(kind.options, table_options());
  add_options(kind.options,
              loss_options("cross_entropy",
                           "of the outputs and the labels, of which all but cross_entropy take a class as a "
                           "vector of zeros and a one; default: cross_entropy, for numbers mse"));
  kind.make_float = make_torchscript<float>;
  kind.make_double = make_torchscript<double>;
  kind.apply_float = apply_torchscript<float>;
  kind.apply_double = apply_torchscript<double>;
  return kind;
}

}  // namespace doc2s
