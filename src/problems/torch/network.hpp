#pragma once
#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace doc2s {

// How a network is used. Batch norm takes the batch's own statistics in the first two; dropout and the like
// work in the first alone.
enum class Use { training, batch_statistics, running_statistics };

// A network on a batch of images. Its parameters and buffers are tensors that can be laid over any memory,
// and that hold nothing between calls. One thread uses it at a time; others use copies.
class Network {
 public:
  virtual ~Network() = default;

  virtual std::unique_ptr<Network> copy() const = 0;
  virtual std::vector<at::Tensor> parameters() = 0;  // leaves, in the order of the flat vector
  virtual std::vector<at::Tensor> buffers() = 0;
  virtual at::Tensor forward(const at::Tensor& images, Use use) = 0;  // count × classes
  virtual bool draws_in_training() const { return false; }            // from torch's random numbers

  // What they hold at the start, in the order and with the type of parameters() and buffers().
  virtual std::vector<at::Tensor> start_parameters(std::uint64_t seed) const = 0;
  virtual std::vector<at::Tensor> start_buffers() const = 0;
};

// ResNet-18 for 32×32 images of three channels.
std::unique_ptr<Network> make_resnet18(double width, int classes, at::ScalarType type);

// The model of a TorchScript file; throws Error{…, where} where it is none.
std::unique_ptr<Network> read_torchscript(const std::string& path, const std::string& where,
                                          at::ScalarType type);

// The sentence of an exception of torch, without its traces.
std::string sentence_of(const std::exception& error);

}  // namespace doc2s
