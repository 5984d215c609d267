// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace doc2s {

// How a network is used. Batch norm uses the batch's statistics in the first two; dropout and the like are
// active only in the first.
enum class Use { training, batch_statistics, running_statistics };

// A network on a batch of images. Its parameters and buffers are tensors that can refer to any memory and own
// nothing between calls. Not thread-safe; each thread uses a copy.
class Network {
 public:
  virtual ~Network() = default;

  virtual std::unique_ptr<Network> copy() const = 0;
  virtual std::vector<at::Tensor> parameters() = 0;  // leaves, in the order of the flat vector
  virtual std::vector<at::Tensor> buffers() = 0;
  virtual at::Tensor forward(const at::Tensor& images, Use use) = 0;  // count × classes
  virtual bool draws_in_training() const { return false; }  // whether training uses torch's random numbers

  // Initial values, in the order and with the type of parameters() and buffers().
  virtual std::vector<at::Tensor> start_parameters(std::uint64_t seed) const = 0;
  virtual std::vector<at::Tensor> start_buffers() const = 0;
};

// ResNet-18 for 32×32 images of three channels.
std::unique_ptr<Network> make_resnet18(double width, int classes, at::ScalarType type);

// The model of a TorchScript file. Throws Error{…, where} if it is not one.
std::unique_ptr<Network> read_torchscript(const std::string& path, const std::string& where,
                                          at::ScalarType type);

// The message of a torch exception, without stack traces.
std::string sentence_of(const std::exception& error);

}  // namespace doc2s
