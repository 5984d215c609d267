// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "doc2s/base/random.hpp"
#include "network.hpp"

namespace doc2s {

namespace {

constexpr double momentum = 0.1, epsilon = 1e-5;  // of batch norm, as in PyTorch

// Describes the network to a visitor that handles convolutions, batch norms and linear layers. The order is
// that of torchvision's resnet18: in a block both convolutions, then the shortcut's.
template <class Visitor, class Map>
Map basic_block(Visitor& visit, const Map& in, Index channels, Index out, int stride) {
  Map map = visit.convolution(in, channels, out, 3, stride);
  map = visit.relu(visit.batch_norm(map, out));
  map = visit.batch_norm(visit.convolution(map, out, out, 3, 1), out);
  if (stride == 1 && channels == out) return visit.relu(visit.sum(map, in));
  return visit.relu(visit.sum(map, visit.batch_norm(visit.convolution(in, channels, out, 1, stride), out)));
}

template <class Visitor, class Map>
Map pass(Visitor& visit, const Map& images, Index channels, Index classes) {
  Map map = visit.relu(visit.batch_norm(visit.convolution(images, 3, channels, 3, 1), channels));
  Index in = channels;
  for (int stage = 0; stage < 4; ++stage) {
    const Index out = channels << stage;
    map = basic_block(visit, map, in, out, stage == 0 ? 1 : 2);
    map = basic_block(visit, map, out, out, 1);
    in = out;
  }
  return visit.linear(map, in, classes);
}

// Collects the shapes of all tensors.
struct Shapes {
  struct Nothing {};
  struct Parameter {
    std::vector<std::int64_t> shape;
    double deviation;  // standard deviation of the normal initial values; 0: all are `constant`
    double constant;
  };
  std::vector<Parameter> parameters;
  std::vector<Index> norms;  // channels of each batch norm

  Nothing convolution(Nothing, Index in, Index out, Index size, int) {
    const double fan_in = static_cast<double>(in * size * size);
    parameters.push_back({{out, in, size, size}, std::sqrt(2 / fan_in), 0});  // He et al. 2015
    return {};
  }
  Nothing batch_norm(Nothing, Index channels) {
    parameters.push_back({{channels}, 0, 1});
    parameters.push_back({{channels}, 0, 0});
    norms.push_back(channels);
    return {};
  }
  Nothing linear(Nothing, Index in, Index out) {
    parameters.push_back({{out, in}, std::sqrt(2 / static_cast<double>(in)), 0});
    parameters.push_back({{out}, 0, 0});
    return {};
  }
  Nothing relu(Nothing) { return {}; }
  Nothing sum(Nothing, Nothing) { return {}; }
};

// Computes the output, consuming the tensors in order. Sums and ReLU are in place: no backward pass needs
// what batch norm returned.
struct Computation {
  const std::vector<at::Tensor>&parameters, &buffers;
  bool batch_statistics;
  std::size_t parameter = 0, buffer = 0;

  at::Tensor convolution(const at::Tensor& map, Index, Index, Index size, int stride) {
    return at::conv2d(map, parameters[parameter++], {}, stride, size / 2);
  }
  at::Tensor batch_norm(const at::Tensor& map, Index) {
    parameter += 2;
    buffer += 2;
    return at::batch_norm(map, parameters[parameter - 2], parameters[parameter - 1], buffers[buffer - 2],
                          buffers[buffer - 1], batch_statistics, momentum, epsilon, false);
  }
  at::Tensor linear(const at::Tensor& map, Index, Index) {
    parameter += 2;
    return at::linear(map.mean({2, 3}), parameters[parameter - 2], parameters[parameter - 1]);
  }
  at::Tensor relu(const at::Tensor& map) { return map.relu_(); }
  at::Tensor sum(const at::Tensor& map, const at::Tensor& shortcut) { return map.add_(shortcut); }
};

class ResNet18 : public Network {
 public:
  ResNet18(Index channels, Index classes, at::ScalarType type)
      : channels_(channels), classes_(classes), type_(type) {
    pass(shapes_, Shapes::Nothing{}, channels, classes);
    for (std::size_t k = 0; k < shapes_.parameters.size(); ++k)
      parameters_.push_back(at::empty({0}, type).requires_grad_());
    for (std::size_t k = 0; k < 2 * shapes_.norms.size(); ++k) buffers_.push_back(at::empty({0}, type));
  }

  std::unique_ptr<Network> copy() const override {
    return std::make_unique<ResNet18>(channels_, classes_, type_);
  }
  std::vector<at::Tensor> parameters() override { return parameters_; }
  std::vector<at::Tensor> buffers() override { return buffers_; }

  at::Tensor forward(const at::Tensor& images, Use use) override {
    Computation computation{parameters_, buffers_, use != Use::running_statistics};
    return pass(computation, images, channels_, classes_);
  }

  std::vector<at::Tensor> start_parameters(std::uint64_t seed) const override {
    std::vector<at::Tensor> all;
    for (const auto& [shape, deviation, constant] : shapes_.parameters) {
      at::Tensor numbers = at::full(shape, constant, type_);
      if (deviation > 0) fill(numbers, Random(seed, Purpose::start, all.size()), deviation);
      all.push_back(numbers);
    }
    return all;
  }

  std::vector<at::Tensor> start_buffers() const override {
    std::vector<at::Tensor> all;
    for (const Index channels : shapes_.norms) {
      all.push_back(at::zeros({channels}, type_));  // running mean
      all.push_back(at::ones({channels}, type_));   // running variance
    }
    return all;
  }

 private:
  template <class Real>
  static void fill_as(const at::Tensor& numbers, const Random& random, double deviation) {
    const std::span<Real> span(numbers.data_ptr<Real>(), numbers.numel());
    random.normals(0, span);
    for (Real& number : span) number *= static_cast<Real>(deviation);
  }
  static void fill(const at::Tensor& numbers, const Random& random, double deviation) {
    if (numbers.scalar_type() == at::kFloat)
      fill_as<float>(numbers, random, deviation);
    else
      fill_as<double>(numbers, random, deviation);
  }

  Index channels_, classes_;
  at::ScalarType type_;
  Shapes shapes_;
  std::vector<at::Tensor> parameters_, buffers_;
};

}  // namespace

std::unique_ptr<Network> make_resnet18(double width, int classes, at::ScalarType type) {
  return std::make_unique<ResNet18>(std::lround(64 * width), classes, type);
}

}  // namespace doc2s
