// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "inputs_problem.hpp"
#include "kinds.hpp"
#include "losses.hpp"

namespace doc2s {

// How pixels 0 … 255 become features. `standardise` uses each feature's mean and standard deviation over the
// training images; a constant feature is only shifted.
enum class PixelScaling { none, unit, standardise };  // p, p/255, (p − mean)/deviation

// A fully connected layer z = W a + b and its offsets in the flat parameter vector x: W (out × in, row-major)
// from x[weights], b from x[biases].
struct MlpLayer {
  Index in, out;
  Index weights, biases;
};

struct MlpSetting {
  std::vector<Index> hidden;  // sizes of the hidden layers; empty: softmax regression
  double lambda = 0;
  PixelScaling scaling = PixelScaling::unit;  // of images
  LossRule loss{};                            // cross_entropy for classes, another for numbers
};

// Multilayer perceptron with ReLU on labelled images or the rows of a table: F(x; a, y) = log Σ_c exp z_c −
// z_y
// + λ‖x‖², where z is the last layer's output, or the loss of the one number z against y. x holds W, then b,
// layer by layer. ReLU'(0) = 0. Pixels are stored as bytes and converted for a few samples at a time.
template <class Real>
class Mlp : public InputsProblem<Real> {
 public:
  Mlp(Images train, Shares shares, const MlpSetting& setting);  // all clients in one process
  Mlp(HeldInputs train, const MlpSetting& setting);
  void set_test(Inputs test);  // for accuracy() and test_rmse()

  Index dimension() const override { return layers_.back().biases + layers_.back().out; }
  double value(int client, std::span<const Index> batch, std::span<const Real> x,
               std::span<Real> gradient) const override;
  // Weights are normal with standard deviation √(2/in) (He et al. 2015), biases 0.
  void start(std::uint64_t seed, std::span<Real> x0) const override;
  std::vector<double> outputs(const Inputs& inputs, std::span<const Real> x) const override;

  const std::vector<MlpLayer>& layers() const { return layers_; }

 private:
  struct Workspace;
  using InputsProblem<Real>::train_;

  static Workspace& workspace();
  void load(const Inputs& inputs, Workspace& work) const;
  void forward(std::span<const Real> x, Workspace& work) const;
  double summed_loss(double factor, Workspace& work) const;
  void backward(std::span<const Real> x, std::span<Real> gradient, Workspace& work) const;

  double lambda_;
  LossRule loss_;
  std::vector<MlpLayer> layers_;
  std::vector<Real> shift_, divisor_;  // feature j = (pixel − shift_j) / divisor_j
};

// Synthetic images: each class has a random picture, and each image is its class's picture plus normal noise
// in every pixel.
struct BlobShape {
  Index size;       // training images; a fifth as many test images are added
  Index dimension;  // pixels
  int classes;
  double noise;  // standard deviation relative to the range from black to white
};
void make_blobs(const BlobShape& shape, std::uint64_t seed, Images& train, Images& test);

ProblemKind mlp_kind();

}  // namespace doc2s
