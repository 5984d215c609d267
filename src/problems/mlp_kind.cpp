// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "agreement.hpp"
#include "doc2s/base/error.hpp"
#include "image_data.hpp"
#include "mlp.hpp"
#include "new_samples.hpp"
#include "table_data.hpp"
#include "validation.hpp"

namespace doc2s {

namespace {

constexpr double most_units = 1e6;                   // in a layer
constexpr double most_parameters = 2'147'483'647.0;  // each client keeps several vectors of that length

void refuse_large(const Images& images, const std::vector<Index>& hidden, const Settings& problem) {
  double parameters = 0;
  auto in = static_cast<double>(images.features());
  const auto add = [&](Index out) { parameters += (std::exchange(in, static_cast<double>(out)) + 1) * out; };
  for (const Index size : hidden) add(size);
  add(images.classes);
  if (parameters > most_parameters)
    throw Error(fmt::format("the network has {:.3g} parameters", parameters), problem.where("hidden"),
                fmt::format("at most {:.0f} are possible, take smaller layers", most_parameters));
}

PixelScaling scaling_named(const std::string& name) {
  if (name == "none") return PixelScaling::none;
  return name == "unit" ? PixelScaling::unit : PixelScaling::standardise;
}

void synthetic_pictures(const Settings& problem, std::uint64_t seed, Images& train, Images& test) {
  const BlobShape shape{.size = problem.integer("size"),
                        .dimension = problem.integer("dimension"),
                        .classes = static_cast<int>(problem.integer("classes")),
                        .noise = problem.real("noise")};
  refuse_many_pixels(problem, shape.size, shape.dimension);
  make_blobs(shape, seed, train, test);
}

MlpSetting mlp_setting(const Settings& problem) {
  const LossRule loss = loss_rule(problem);
  if (loss.loss != Loss::cross_entropy && problem.text("target") == "class")
    throw Error("the mlp's loss for classes is cross_entropy", problem.where("loss"),
                "leave loss out, or take target = \"number\"");
  return {.hidden = problem.list("hidden"),
          .lambda = problem.real("lambda"),
          .scaling = scaling_named(problem.text("scaling")),
          .loss = loss};
}

template <class Real>
MadeProblem<Real> make_mlp(const ProblemRequest& request) {
  const Settings& settings = request.problem;
  const MlpSetting setting = mlp_setting(settings);
  InputShare data = input_share(request, setting.scaling == PixelScaling::standardise, synthetic_pictures);
  refuse_large(data.train.inputs, setting.hidden, settings);
  MadeProblem<Real> made;
  made.split = std::move(data.split);
  made.facts = {{"data", data.source},
                {"lambda", setting.lambda},
                {"hidden", setting.hidden},
                {"scaling", settings.text("scaling")}};
  auto mlp = std::make_unique<Mlp<Real>>(std::move(data.train), setting);
  if (data.test.count() > 0) mlp->set_test(std::move(data.test));
  made.problem = std::move(mlp);
  made.notices = std::move(data.notices);
  made.local_notices = std::move(data.local_notices);
  made.preprocessing = std::move(data.preprocessing);
  return made;
}

template <class Real>
std::vector<double> apply_mlp(const TrainedModel& model, const NewSamples& samples) {
  const Mlp<Real> mlp(inputs_alike(model.preprocessing), mlp_setting(model.problem));
  return mlp.outputs(samples.inputs, model.point<Real>(mlp.dimension()));
}

}  // namespace

ProblemKind mlp_kind() {
  ProblemKind kind;
  kind.name = "mlp";
  kind.summary = "multilayer perceptron with ReLU on images or tables: softmax cross-entropy, or regression";
  kind.options = image_source_options();
  add_options(kind.options,
              {list_option("hidden", {256}, "sizes of the hidden layers, such as [256, 128]; []: none")
                   .at_least(1)
                   .at_most(most_units),
               real_option("lambda", 1e-5, "weight of the penalty, the sum of the squares of all parameters")
                   .at_least(0),
               scaling_option(
                   {"none", "unit", "standardise"}, "unit",
                   "features as they are (none), over 255 (unit, for pixels), or by the training data's mean "
                   "and deviation; default: unit for images, standardise for tables"),
               evaluation_option(2048), test_images_option(std::nullopt),
               integer_option("dimension", 64, "pixels of a synthetic image")
                   .at_least(1)
                   .at_most(1e6)
                   .only_where("data", "synthetic")});
  add_options(kind.options, table_options());
  add_options(kind.options, site_options());
  add_options(kind.options, validation_options());
  add_options(kind.options, loss_options({}, "of a number z against its target y, d = z - y; default: mse"));
  add_options(kind.options, synthetic_image_options());
  kind.apply_float = apply_mlp<float>;
  kind.apply_double = apply_mlp<double>;
  kind.make_float = make_mlp<float>;
  kind.make_double = make_mlp<double>;
  return kind;
}

}  // namespace doc2s
