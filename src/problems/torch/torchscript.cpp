// SPDX-License-Identifier: Apache-2.0
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/python/update_graph_executor_opt.h>
#include <torch/script.h>

#include <filesystem>
#include <optional>
#include <set>

#include "doc2s/base/error.hpp"
#include "network.hpp"

namespace doc2s {

namespace {

using torch::jit::Module;

bool draws(const torch::jit::Block& block) {
  for (const torch::jit::Node* node : block.nodes()) {
    if (node->isNondeterministic()) return true;
    for (const torch::jit::Block* inside : node->blocks())
      if (draws(*inside)) return true;
  }
  return false;
}

bool forward_draws(const Module& module) {
  const auto graph = module.get_method("forward").graph()->copy();
  torch::jit::Inline(*graph);
  return draws(*graph->block());
}

bool is_batch_norm(const Module& module) {
  const auto name = module.type()->name();
  return name && name->name().find("BatchNorm") != std::string::npos;
}

// The tensors of a list of slots without duplicates; a model may use one in several places.
template <class Slots>
std::vector<at::Tensor> each_once(const Slots& slots) {
  std::vector<at::Tensor> all;
  std::set<const void*> seen;
  for (const at::Tensor& tensor : slots)
    if (seen.insert(tensor.unsafeGetTensorImpl()).second) all.push_back(tensor);
  return all;
}

std::vector<at::Tensor> parameters_of(const Module& module) { return each_once(module.parameters()); }
std::vector<at::Tensor> buffers_of(const Module& module) { return each_once(module.buffers()); }

class Script : public Network {
 public:
  Script(Module module, std::string path, at::ScalarType type)
      : module_(std::move(module)), path_(std::move(path)), type_(type), draws_(forward_draws(module_)) {
    for (const at::Tensor& buffer : buffers_of(module_)) start_buffers_.push_back(buffer.detach().clone());
  }

  std::unique_ptr<Network> copy() const override {
    auto copied = std::make_unique<Script>(*this);
    const at::NoGradGuard leaves;
    copied->module_ = module_.deepcopy();
    copied->use_.reset();
    for (at::Tensor parameter : parameters_of(copied->module_)) parameter.requires_grad_();
    return copied;
  }

  std::vector<at::Tensor> parameters() override { return parameters_of(module_); }
  std::vector<at::Tensor> buffers() override { return buffers_of(module_); }
  bool draws_in_training() const override { return draws_; }
  std::vector<at::Tensor> start_buffers() const override { return start_buffers_; }
  std::vector<at::Tensor> start_parameters(std::uint64_t) const override;

  // Turns off torch's profiling optimiser: the bits of a result must not depend on earlier calls.
  at::Tensor forward(const at::Tensor& images, Use use) override {
    torch::jit::setGraphExecutorOptimize(false);
    if (use_ != use) set_use(use);
    const auto answer = module_.forward({images});
    if (!answer.isTensor())
      throw std::runtime_error("its answer is of type " + answer.tagKind() + ", not a tensor");
    return answer.toTensor();
  }

 private:
  void set_use(Use use) {
    module_.train(use == Use::training);
    for (Module part : module_.modules())
      if (use == Use::batch_statistics && is_batch_norm(part) && part.hasattr("training"))
        part.setattr("training", true);
    use_ = use;
  }

  Module module_;
  std::string path_;
  at::ScalarType type_;
  bool draws_;
  std::vector<at::Tensor> start_buffers_;
  std::optional<Use> use_;
};

// Converts to the run's precision.
void convert(std::vector<at::Tensor> tensors, at::ScalarType type) {
  for (at::Tensor& tensor : tensors)
    if (at::isFloatingType(tensor.scalar_type())) tensor.set_data(tensor.to(type).contiguous());
}

Module read(const std::string& path, at::ScalarType type) {
  Module module = torch::jit::load(path, at::kCPU);
  const at::NoGradGuard leaves;
  convert(parameters_of(module), type);
  convert(buffers_of(module), type);
  return module;
}

std::vector<at::Tensor> Script::start_parameters(std::uint64_t) const {
  return parameters_of(read(path_, type_));  // read again, so that no memory is held in between
}

void check_parameters(const std::vector<at::Tensor>& parameters, const std::string& where) {
  for (const at::Tensor& parameter : parameters)
    if (!at::isFloatingType(parameter.scalar_type()))
      throw Error(std::string("a parameter of the model holds numbers of type ") +
                      c10::toString(parameter.scalar_type()),
                  where, "doc2s optimises real numbers");
}

}  // namespace

std::unique_ptr<Network> read_torchscript(const std::string& path, const std::string& where,
                                          at::ScalarType type) {
  std::error_code unreachable;
  if (!std::filesystem::is_regular_file(path, unreachable))
    throw Error("there is no file " + path, where, "give the path of a TorchScript model");
  const std::string hint = "save it in Python with torch.jit.script(model).save(\"model.pt\")";
  try {
    Module module = read(path, type);
    if (!module.find_method("forward")) throw Error(path + " has no method forward", where, hint);
    check_parameters(parameters_of(module), where);
    auto script = std::make_unique<Script>(std::move(module), path, type);
    for (at::Tensor parameter : script->parameters())
      parameter.set_data(at::empty({0}, parameter.options()));  // start() reads the values again
    return script;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(path + " is not a TorchScript model: " + sentence_of(error), where, hint);
  }
}

std::string sentence_of(const std::exception& error) {
  const auto* from_torch = dynamic_cast<const c10::Error*>(&error);
  const std::string text = from_torch ? from_torch->what_without_backtrace() : error.what();
  const std::string mark = "Error: ";  // a TorchScript traceback ends in "RuntimeError: …"
  const auto last = text.rfind(mark);
  const auto first = last == text.npos ? 0 : last + mark.size();
  return text.substr(first, text.find('\n', first) - first);
}

}  // namespace doc2s
