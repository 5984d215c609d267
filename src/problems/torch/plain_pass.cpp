// SPDX-License-Identifier: Apache-2.0
#include "problems/plain_pass.hpp"

#include <ATen/Parallel.h>
#include <torch/nn.h>

#include <algorithm>
#include <cmath>

#include "make_here.hpp"
#include "pictures.hpp"

namespace doc2s {

namespace {

namespace nn = torch::nn;

nn::Conv2d plain_convolution(Index in, Index out, Index size, Index stride) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, size).stride(stride).padding(size / 2).bias(false));
}

// As in torchvision, with sums and ReLU in place.
class PlainBlock : public nn::Module {
 public:
  PlainBlock(Index in, Index out, Index stride)
      : first_(register_module("conv1", plain_convolution(in, out, 3, stride))),
        first_norm_(register_module("bn1", nn::BatchNorm2d(out))),
        second_(register_module("conv2", plain_convolution(out, out, 3, 1))),
        second_norm_(register_module("bn2", nn::BatchNorm2d(out))) {
    if (stride == 1 && in == out) return;
    const nn::Sequential shortcut(plain_convolution(in, out, 1, stride), nn::BatchNorm2d(out));
    shortcut_ = register_module("downsample", shortcut);
  }

  torch::Tensor forward(const torch::Tensor& in) {
    torch::Tensor map = first_norm_(first_(in)).relu_();
    map = second_norm_(second_(map));
    map += shortcut_ ? shortcut_->forward(in) : in;
    return map.relu_();
  }

 private:
  nn::Conv2d first_;
  nn::BatchNorm2d first_norm_;
  nn::Conv2d second_;
  nn::BatchNorm2d second_norm_;
  nn::Sequential shortcut_ = nullptr;
};

nn::Sequential plain_resnet18(Index channels, Index classes) {
  nn::Sequential network(plain_convolution(3, channels, 3, 1), nn::BatchNorm2d(channels),
                         nn::ReLU(nn::ReLUOptions(true)));
  Index in = channels;
  for (int stage = 0; stage < 4; ++stage) {
    const Index out = channels << stage;
    network->push_back(PlainBlock(in, out, stage == 0 ? 1 : 2));
    network->push_back(PlainBlock(out, out, 1));
    in = out;
  }
  network->push_back(nn::AdaptiveAvgPool2d(1));
  network->push_back(nn::Flatten());
  network->push_back(nn::Linear(in, classes));
  return network;
}

class PlainResNet18 : public PlainPass {
 public:
  PlainResNet18(const HeldInputs& train, std::span<const Index> rows, std::span<const float> x,
                const TorchSetting& setting)
      : threads_(setting.threads),
        network_(plain_resnet18(std::lround(64 * setting.width), train.inputs.classes)),
        parameters_(network_->parameters()) {
    load_batch(train, rows);
    const float* next = x.data();
    for (const torch::Tensor& parameter : parameters_) {
      std::copy_n(next, parameter.numel(), parameter.data_ptr<float>());
      next += parameter.numel();
    }
  }

  double run() override {
    at::set_num_threads(threads_);
    network_->zero_grad(true);  // no gradients: backward() stores its own instead of adding them
    const torch::Tensor loss = nn::functional::cross_entropy(network_->forward(images_), labels_);
    loss.backward();
    return loss.item<double>();
  }

  std::vector<float> gradient() const override {
    std::vector<float> all;
    for (const torch::Tensor& parameter : parameters_) {
      const torch::Tensor part = parameter.grad().contiguous();
      all.insert(all.end(), part.data_ptr<float>(), part.data_ptr<float>() + part.numel());
    }
    return all;
  }

 private:
  void load_batch(const HeldInputs& train, std::span<const Index> rows) {
    const Inputs& images = train.inputs;
    std::vector<float> numbers;
    load_inputs(images, rows, channel_scaling(images, train.moments), nullptr, numbers);
    const Index count = std::ssize(rows);
    images_ = torch::from_blob(numbers.data(), {count, images.channels, images.height, images.width}).clone();
    labels_ = torch::empty({count}, torch::kLong);
    for (Index k = 0; k < count; ++k) labels_.data_ptr<std::int64_t>()[k] = images.labels[rows[k]];
  }

  int threads_;
  nn::Sequential network_;
  std::vector<torch::Tensor> parameters_;
  torch::Tensor images_, labels_;
};

}  // namespace

std::unique_ptr<PlainPass> plain_pass_here(const HeldInputs& train, std::span<const Index> rows,
                                           std::span<const float> x, const TorchSetting& setting) {
  return std::make_unique<PlainResNet18>(train, rows, x, setting);
}

}  // namespace doc2s
