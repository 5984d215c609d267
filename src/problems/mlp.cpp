// SPDX-License-Identifier: Apache-2.0
#include "mlp.hpp"

#include <algorithm>
#include <cmath>

#include "base/ordered_sum.hpp"
#include "base/vectors.hpp"
#include "doc2s/base/random.hpp"
#include "image_data.hpp"
#include "mlp_layers.hpp"
#include "mlp_scaling.hpp"

namespace doc2s {

// Scratch of one thread for up to `capacity` samples; reused between calls.
template <class Real>
struct Mlp<Real>::Workspace {
  static constexpr Index capacity = 256;

  std::vector<Index> rows;  // the current inputs
  std::vector<int> labels;
  std::vector<double> targets;             // in place of labels, where they are numbers
  std::vector<std::vector<Real>> outputs;  // [0] the features, [l + 1] the output of layer l; count × size
  std::vector<Real> delta, back;           // gradient of the loss in a layer's output and input

  Index count() const { return static_cast<Index>(rows.size()); }
};

template <class Real>
typename Mlp<Real>::Workspace& Mlp<Real>::workspace() {
  thread_local Workspace work;
  return work;
}

namespace {

std::vector<MlpLayer> make_layers(Index features, const std::vector<Index>& hidden, Index classes) {
  std::vector<Index> sizes{features};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(classes);
  std::vector<MlpLayer> layers;
  Index first = 0;
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    const Index in = sizes[l], out = sizes[l + 1];
    layers.push_back({in, out, first, first + in * out});
    first += in * out + out;
  }
  return layers;
}

// gradient = pull x; returns ‖x‖².
template <class Real>
double pull_and_squares(const Real* __restrict x, Real pull, Real* __restrict gradient, Index count) {
  return ordered_sum(count, [=](Index j) {
    const Real number = x[j];
    gradient[j] = pull * number;
    return static_cast<double>(number) * number;
  });
}

template <class Vector>
void grow(Vector& vector, std::size_t size) {
  if (vector.size() < size) vector.resize(size);
}

}  // namespace

template <class Real>
Mlp<Real>::Mlp(Images train, Shares shares, const MlpSetting& setting)
    : Mlp(hold(std::move(train), shares, {0, static_cast<int>(shares.size())},
               setting.scaling == PixelScaling::standardise),
          setting) {}

template <class Real>
Mlp<Real>::Mlp(HeldInputs train, const MlpSetting& setting)
    : InputsProblem<Real>(std::move(train)),
      lambda_(setting.lambda),
      loss_(setting.loss),
      layers_(make_layers(train_.inputs.features(), setting.hidden, train_.inputs.classes)) {
  check_labels(train_.inputs, train_.inputs.classes);
  make_scaling(layers_[0].in, train_.moments, setting.scaling, shift_, divisor_);
  train_.moments = {};
}

template <class Real>
void Mlp<Real>::set_test(Inputs test) {
  this->set_test_inputs(std::move(test));
}

// Loads the features and labels of the inputs work.rows.
template <class Real>
void Mlp<Real>::load(const Inputs& inputs, Workspace& work) const {
  const auto count = static_cast<std::size_t>(work.count());
  const Index features = layers_[0].in;
  grow(work.outputs, layers_.size() + 1);
  grow(work.outputs[0], count * features);
  for (std::size_t l = 0; l < layers_.size(); ++l) grow(work.outputs[l + 1], count * layers_[l].out);
  work.labels.resize(count);
  work.targets.resize(inputs.targets.empty() ? 0 : count);
  for (std::size_t k = 0; k < count; ++k) {
    const Index row = work.rows[k];
    work.labels[k] = inputs.labels[row];
    if (!inputs.targets.empty()) work.targets[k] = inputs.targets[row];
    Real* const out = work.outputs[0].data() + static_cast<Index>(k) * features;
    if (inputs.is_table)
      std::transform(inputs.values.begin() + row * features, inputs.values.begin() + (row + 1) * features,
                     out, [](double value) { return static_cast<Real>(value); });
    else
      scale_pixels<Real>(inputs.pixels.data() + row * features, shift_, divisor_, out);
  }
}

template <class Real>
void Mlp<Real>::forward(std::span<const Real> x, Workspace& work) const {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    Real* z = work.outputs[l + 1].data();
    apply_layer(layers_[l], x.data(), work.count(), work.outputs[l].data(), z);
    if (l + 1 < layers_.size()) apply_relu(work.count() * layers_[l].out, z);
  }
}

// The sum over the current samples. If factor ≠ 0, the last output is overwritten with factor times its
// slope.
template <class Real>
double Mlp<Real>::summed_loss(double factor, Workspace& work) const {
  Real* const z = work.outputs[layers_.size()].data();
  return loss_.loss == Loss::cross_entropy
             ? softmax_loss(work.count(), layers_.back().out, work.labels.data(), factor, z)
             : number_loss(work.count(), work.targets.data(), loss_, factor, z);
}

// Adds the gradient of the current samples. On entry the last output holds the loss gradient.
template <class Real>
void Mlp<Real>::backward(std::span<const Real> x, std::span<Real> gradient, Workspace& work) const {
  const Real* delta = work.outputs[layers_.size()].data();
  for (std::size_t l = layers_.size(); l-- > 0;) {
    const Real* a = work.outputs[l].data();
    add_layer_gradient(layers_[l], work.count(), delta, a, gradient.data());
    if (l == 0) break;
    grow(work.back, static_cast<std::size_t>(work.count() * layers_[l].in));
    pass_back(layers_[l], x.data(), work.count(), delta, a, work.back.data());
    std::swap(work.delta, work.back);
    delta = work.delta.data();
  }
}

template <class Real>
double Mlp<Real>::value(int client, std::span<const Index> batch, std::span<const Real> x,
                        std::span<Real> gradient) const {
  Workspace& work = workspace();
  const auto share = 1.0 / static_cast<double>(batch.size());
  const auto pull = static_cast<Real>(2 * lambda_);  // ∇ λ‖x‖² = 2λx
  const double squares =
      gradient.empty() ? dot(x, x) : pull_and_squares(x.data(), pull, gradient.data(), std::ssize(x));
  double sum = 0;
  for (std::size_t first = 0; first < batch.size(); first += Workspace::capacity) {
    work.rows.clear();
    for (const Index sample :
         batch.subspan(first, std::min<std::size_t>(Workspace::capacity, batch.size() - first)))
      work.rows.push_back(train_.shares[client][sample]);
    load(train_.inputs, work);
    forward(x, work);
    sum += summed_loss(gradient.empty() ? 0 : share, work);
    if (!gradient.empty()) backward(x, gradient, work);
  }
  return sum * share + lambda_ * squares;
}

template <class Real>
void Mlp<Real>::start(std::uint64_t seed, std::span<Real> x0) const {
  std::fill(x0.begin(), x0.end(), Real(0));
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const MlpLayer& layer = layers_[l];
    const auto weights = x0.subspan(layer.weights, layer.in * layer.out);
    Random(seed, Purpose::start, static_cast<std::uint32_t>(l)).normals(0, weights);
    const auto deviation = static_cast<Real>(std::sqrt(2.0 / static_cast<double>(layer.in)));
    for (Real& weight : weights) weight *= deviation;
  }
}

template <class Real>
std::vector<double> Mlp<Real>::outputs(const Inputs& inputs, std::span<const Real> x) const {
  Workspace& work = workspace();
  std::vector<double> all;
  for (Index first = 0; first < inputs.count(); first += Workspace::capacity) {
    work.rows.clear();
    for (Index row = first; row < std::min(first + Workspace::capacity, inputs.count()); ++row)
      work.rows.push_back(row);
    load(inputs, work);
    forward(x, work);
    const Real* z = work.outputs[layers_.size()].data();
    all.insert(all.end(), z, z + work.count() * layers_.back().out);
  }
  return all;
}

template class Mlp<float>;
template class Mlp<double>;

}  // namespace doc2s
