// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "agreement.hpp"
#include "image_data.hpp"
#include "new_samples.hpp"
#include "partition/sites.hpp"
#include "svm.hpp"
#include "svm_data.hpp"
#include "table_data.hpp"
#include "validation.hpp"

namespace doc2s {

namespace {

void write_libsvm(FileWriter& file, const SyntheticRows& rows) {
  SyntheticRow made;
  for (Index row = 0; row < rows.shape().size; ++row) {
    rows.make(row, made);
    std::string line = fmt::format("{:+}", made.label);
    for (std::size_t k = 0; k < made.columns.size(); ++k)
      line += fmt::format(" {}:{:.17g}", made.columns[k] + 1, made.values[k]);
    file.write_line(line);
  }
}

double lambda_in_force(const Settings& problem, Index samples) {
  return problem.has("lambda") ? problem.real("lambda") : 1e-5 / static_cast<double>(samples);
}

template <class Real>
MadeProblem<Real> svm_of_kept_rows(const ProblemRequest& request) {
  const Settings& settings = request.problem;
  SvmData data = svm_data(request);
  const double lambda = lambda_in_force(settings, data.samples), alpha = settings.real("alpha");
  auto svm = std::make_unique<Svm<Real>>(data.train, data.shares, data.rows, lambda, alpha);
  if (data.test.count() > 0) svm->set_test(data.test);
  svm->set_validation(data.validation);
  return {std::move(svm),
          {{"data", data.source}, {"lambda", lambda}, {"alpha", alpha}},
          std::move(data.notices),
          std::move(data.split),
          {},
          std::move(data.preprocessing),
          std::move(data.local_notices)};
}

template <class Real>
MadeProblem<Real> svm_of_made_rows(const ProblemRequest& request) {
  const Settings& settings = request.problem;
  refuse_validation(settings, "so many synthetic rows are made when they are asked for, and none is kept");
  MadeSvmData data = made_svm_data(request);
  const double lambda = lambda_in_force(settings, data.rows->shape().size), alpha = settings.real("alpha");
  Preprocessing how = svm_preprocessing({-1, 1}, data.rows->shape().dimension);
  return {std::make_unique<Svm<Real>>(data.rows, std::move(data.parts), lambda, alpha),
          {{"data", "synthetic"}, {"lambda", lambda}, {"alpha", alpha}},
          std::move(data.notices),
          {},
          {},
          std::move(how)};
}

template <class Real>
MadeProblem<Real> make_svm(const ProblemRequest& request) {
  const Settings& settings = request.problem;
  MadeProblem<Real> made =
      is_made_when_asked(request) ? svm_of_made_rows<Real>(request) : svm_of_kept_rows<Real>(request);
  if (settings.text("data") == "synthetic")
    made.write_samples = [shape = synthetic_shape(settings), seed = request.seed](FileWriter& file) {
      write_libsvm(file, SyntheticRows(shape, seed));
    };
  return made;
}

template <class Real>
std::vector<double> apply_svm(const TrainedModel& model, const NewSamples& samples) {
  Svm<Real> svm(samples.samples, {}, 0, model.problem.real("alpha"));
  svm.set_test(samples.samples);
  return svm.test_outputs(model.point<Real>(svm.dimension()));
}

}  // namespace

ProblemKind svm_kind() {
  ProblemKind kind;
  kind.name = "svm";
  kind.summary = "capped-l1 support vector machine on LIBSVM text or a table with two classes";
  kind.options = {
      text_option(
          "data", "synthetic",
          "a data set's name (doc2s list datasets), a LIBSVM file, a table (.csv, .npy, .npz), one per "
          "client (\"site-{client}.svm\", or a list of files), or \"synthetic\"")
          .folding(pattern_of)
          .as_path(find_data_path),
      text_option("test", std::nullopt,
                  "a file with test samples for `accuracy`; the data set's own where it has one")
          .as_path(find_data_path),
      real_option("lambda", std::nullopt,
                  "weight of the capped-l1 penalty; default: 1e-5 over the number of samples")
          .at_least(0),
      real_option("alpha", 2.0, "cap of the penalty: sum over j of min(|x_j|, alpha)").above(0),
      evaluation_option(std::nullopt),
      integer_option("size", 2000, "samples of the synthetic data")
          .at_least(1)
          .at_most(1e9)
          .only_where("data", "synthetic"),
      integer_option("dimension", 50, "features of the synthetic data")
          .at_least(1)
          .at_most(2e9)
          .only_where("data", "synthetic"),
      real_option("sparsity", 0.2, "share of non-zero features in a synthetic sample")
          .above(0)
          .at_most(1)
          .only_where("data", "synthetic"),
      real_option("noise", 0.05, "share of flipped labels in the synthetic data")
          .at_least(0)
          .at_most(0.5)
          .only_where("data", "synthetic"),
  };
  kind.options.push_back(
      scaling_option({"none", "standardise"}, {},
                     "features of a table as they are (none) or by the training data's mean and deviation; "
                     "default: standardise"));
  add_options(kind.options, table_options());
  add_options(kind.options, site_options());
  add_options(kind.options, validation_options());
  kind.apply_float = apply_svm<float>;
  kind.apply_double = apply_svm<double>;
  kind.make_float = make_svm<float>;
  kind.make_double = make_svm<double>;
  return kind;
}

}  // namespace doc2s
