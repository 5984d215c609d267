// SPDX-License-Identifier: Apache-2.0
#include "torch_problem.hpp"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>

#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "make_here.hpp"

namespace doc2s {

namespace {

template <class Real>
constexpr at::ScalarType type_of = sizeof(Real) == 4 ? at::kFloat : at::kDouble;

// Sets this thread's number of torch threads to the setting's, independent of the machine, so that sums have
// one order. OpenBLAS, if torch uses it, has separate threads.
void set_up_thread(int threads) {
  thread_local int set = 0;
  if (set == threads) return;
  at::set_num_threads(threads);
  if (const auto blas = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
    blas(1);
  set = threads;
}

// Lets the process keep freed memory up to 1 GB. The system would clear the pages of the activations for
// every estimate, which takes some percent of its time.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // of larger blocks each is mapped and returned by itself
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

// Splits `count` samples into nearly equal parts of at most `largest`: [first, last) of each part.
std::vector<std::pair<Index, Index>> equal_parts(Index count, Index largest) {
  const Index parts = (count + largest - 1) / largest;
  std::vector<std::pair<Index, Index>> all;
  for (Index k = 0; k < parts; ++k) all.emplace_back(count * k / parts, count * (k + 1) / parts);
  return all;
}

const char* noun_of(const Inputs& inputs) { return inputs.is_table ? "rows" : "images"; }

// The mean over all outputs.
at::Tensor mean_by(const LossRule& rule, const at::Tensor& outputs, const at::Tensor& targets) {
  if (rule.loss == Loss::mse) return at::mse_loss(outputs, targets);
  if (rule.loss == Loss::mae) return at::l1_loss(outputs, targets);
  return at::huber_loss(outputs, targets, at::Reduction::Mean, rule.delta);
}

std::string shape_text(at::IntArrayRef shape) { return fmt::format("{}", fmt::join(shape, "x")); }

}  // namespace

template <class Real>
struct TorchProblem<Real>::Replica {
  std::unique_ptr<Network> network;
  std::vector<at::Tensor> parameters;
  std::vector<Index> rows;
  std::vector<std::int64_t> labels;
  std::vector<double> targets;  // in place of labels, where they are numbers
  std::vector<Real> numbers;    // of the current inputs
};

// Takes an unused replica or makes one; there are at most as many as concurrent threads. On return it refers
// to no caller's memory.
template <class Real>
class TorchProblem<Real>::Borrowed {
 public:
  explicit Borrowed(const TorchProblem& problem) : problem_(problem) {
    set_up_thread(problem.setting_.threads);
    std::lock_guard lock(problem.mutex_);
    if (!problem.free_.empty()) {
      replica_ = std::move(problem.free_.back());
      problem.free_.pop_back();
      return;
    }
    replica_ = std::make_unique<Replica>();
    replica_->network = problem.network_->copy();
    replica_->parameters = replica_->network->parameters();
  }

  ~Borrowed() {
    for (at::Tensor& parameter : replica_->parameters) {
      parameter.mutable_grad() = at::Tensor();
      parameter.set_data(at::empty({0}, parameter.options()));
    }
    std::lock_guard lock(problem_.mutex_);
    problem_.free_.push_back(std::move(replica_));
  }

  // Makes parameters views into x and their gradients views into `gradient`, without copying.
  void bind(std::span<const Real> x, std::span<Real> gradient) {
    Index first = 0;
    for (std::size_t k = 0; k < replica_->parameters.size(); ++k) {
      at::Tensor& parameter = replica_->parameters[k];
      const auto& shape = problem_.shapes_[k];
      const auto view = [&](Real* numbers) {
        return at::from_blob(numbers + first, shape, at::TensorOptions(type_of<Real>));
      };
      parameter.set_data(view(const_cast<Real*>(x.data())));  // never written to
      parameter.mutable_grad() = gradient.empty() ? at::Tensor() : view(gradient.data());
      first += parameter.numel();
    }
  }

  Replica& operator*() { return *replica_; }
  Replica* operator->() { return replica_.get(); }

 private:
  const TorchProblem& problem_;
  std::unique_ptr<Replica> replica_;
};

template <class Real>
TorchProblem<Real>::TorchProblem(HeldInputs train, Inputs test, const TorchSetting& setting)
    : InputsProblem<Real>(std::move(train)),
      setting_(setting),
      scaling_(channel_scaling(train_.inputs, train_.moments)) {
  at::globalContext().setDeterministicAlgorithms(true, false);
  keep_freed_memory();
  check_images();
  if (test.count() > 0) this->set_test_inputs(std::move(test));
  network_ = setting_.model.empty() ? make_resnet18(setting_.width, train_.inputs.classes, type_of<Real>)
                                    : read_torchscript(setting_.model, setting_.where, type_of<Real>);
  for (const at::Tensor& parameter : network_->start_parameters(setting_.seed)) {
    shapes_.push_back(parameter.sizes().vec());
    dimension_ += parameter.numel();
  }
  if (dimension_ == 0) throw Error("the model has no parameters", setting_.where);
  start_buffers_ = network_->start_buffers();
  if (setting_.running_statistics && this->clients() == 0) forget_running_statistics();
  if (setting_.running_statistics)
    for (int client = 0; client < this->clients(); ++client) {
      running_.emplace_back();
      for (const at::Tensor& buffer : start_buffers_)
        if (this->samples(client) > 0) running_.back().push_back(buffer.clone());
    }
  check_outputs();
}

// A trained model that is only applied has no clients.
template <class Real>
void TorchProblem<Real>::forget_running_statistics() {
  if (!start_buffers_.empty())
    throw Error("the clients' running statistics are not among the files of a run", setting_.where,
                "train with evaluation_statistics = \"batch\"");
  setting_.running_statistics = false;
}

template <class Real>
void TorchProblem<Real>::check_images() const {
  const Images& images = train_.inputs;
  if (setting_.model.empty() && (images.channels != 3 || images.height != 32 || images.width != 32))
    throw Error(fmt::format("ResNet-18 takes images of 32x32 pixels with 3 channels, and these have {}x{} "
                            "with {}",
                            images.height, images.width, images.channels),
                images.source, "take cifar10 or cifar100, or the problem mlp or torchscript");
}

// Tries the model on two grey images or mean rows.
template <class Real>
void TorchProblem<Real>::check_outputs() const {
  if (setting_.model.empty()) return;
  const Inputs& inputs = train_.inputs;
  std::vector<Real> x(static_cast<std::size_t>(dimension_));
  start(setting_.seed, x);
  Borrowed replica(*this);
  replica.bind(x, {});
  replica->numbers.assign(static_cast<std::size_t>(2 * inputs.features()), Real(0));
  replica->rows.assign(2, 0);
  const at::NoGradGuard values_only;
  at::Tensor answer;
  try {
    answer = forward(*replica, -1, Use::training, nullptr);
  } catch (const std::exception& error) {
    throw Error(fmt::format("the model does not take {} of shape 2x{}: {}", noun_of(inputs),
                            fmt::join(inputs.shape(), "x"), sentence_of(error)),
                setting_.where,
                fmt::format("take a model that is made for these {}, and save it with torch.jit.script",
                            noun_of(inputs)));
  }
  const bool one_number = inputs.is_numeric && answer.sizes() == at::IntArrayRef({2});
  if (!one_number && answer.sizes() != at::IntArrayRef({2, inputs.classes}))
    throw Error(fmt::format("the model answers two {} with numbers of shape {}, and {} 2x{}", noun_of(inputs),
                            shape_text(answer.sizes()),
                            inputs.is_numeric ? "targets that are numbers need"
                                              : fmt::format("{} classes need", inputs.classes),
                            inputs.classes),
                setting_.where,
                inputs.is_numeric ? "its last layer must give one number"
                                  : "its last layer must give one number a class");
}

template <class Real>
typename TorchProblem<Real>::Tensors TorchProblem<Real>::buffers_of(int client, Use use) const {
  const bool kept = setting_.running_statistics && client >= 0 && use != Use::batch_statistics;
  if (kept) return running_[client];
  Tensors fresh;
  for (const at::Tensor& buffer : start_buffers_) fresh.push_back(buffer.clone());
  return fresh;
}

// Outputs for the inputs in replica.numbers. Only training changes a client's running statistics.
template <class Real>
at::Tensor TorchProblem<Real>::forward(Replica& replica, int client, Use use, Random* chance) const {
  static std::mutex torch_chance;  // torch has one random stream for all threads
  const Tensors own = buffers_of(client, use);
  Tensors buffers = replica.network->buffers();
  for (std::size_t k = 0; k < buffers.size(); ++k) buffers[k].set_data(own[k]);
  std::vector<Index> shape = train_.inputs.shape();
  shape.insert(shape.begin(), std::ssize(replica.rows));
  const at::Tensor inputs = at::from_blob(replica.numbers.data(), shape, type_of<Real>);
  std::unique_lock lock(torch_chance, std::defer_lock);
  if (use == Use::training && replica.network->draws_in_training()) {
    lock.lock();
    at::manual_seed(chance ? chance->bits() : 0);
  }
  const at::Tensor answer = replica.network->forward(inputs, use);
  if (use == Use::training && setting_.running_statistics && client >= 0) {
    buffers = replica.network->buffers();  // a model may have replaced them
    for (std::size_t k = 0; k < buffers.size(); ++k) running_[client][k] = buffers[k].detach().contiguous();
  }
  return answer;
}

// In double, because zeroth-order estimates use differences of such values.
template <class Real>
at::Tensor TorchProblem<Real>::mean_loss(const at::Tensor& outputs, const Replica& replica) const {
  const at::Tensor numbers = outputs.to(at::kDouble);
  const auto tensor = [](const auto& list, at::ScalarType type) {
    return at::from_blob(const_cast<void*>(static_cast<const void*>(list.data())), {std::ssize(list)}, type);
  };
  if (train_.inputs.is_numeric)
    return mean_by(setting_.loss, numbers.reshape({-1}), tensor(replica.targets, at::kDouble));
  const at::Tensor right = tensor(replica.labels, at::kLong);
  if (setting_.loss.loss == Loss::cross_entropy) return at::cross_entropy_loss(numbers, right);
  return mean_by(setting_.loss, numbers, at::one_hot(right, train_.inputs.classes).to(at::kDouble));
}

// Mean loss over a chunk; adds share times its gradient to the parameters' gradients.
template <class Real>
double TorchProblem<Real>::chunk_value(Replica& replica, int client, std::span<const Index> chunk, Use use,
                                       double share, std::span<Real> gradient) const {
  replica.rows.clear();
  replica.labels.clear();
  replica.targets.clear();
  for (const Index sample : chunk) {
    const Index row = replica.rows.emplace_back(train_.shares[client][sample]);
    replica.labels.push_back(train_.inputs.labels[row]);
    if (train_.inputs.is_numeric) replica.targets.push_back(train_.inputs.targets[row]);
  }
  Random chance = chance_of(setting_.seed, client, chunk);
  load_inputs(train_.inputs, replica.rows, scaling_,
              setting_.augment && use == Use::training ? &chance : nullptr, replica.numbers);
  const at::AutoGradMode with_gradient(!gradient.empty());
  try {
    const at::Tensor loss = mean_loss(forward(replica, client, use, &chance), replica);
    if (!gradient.empty()) loss.backward(at::scalar_tensor(share, at::kDouble));
    return loss.item<double>();
  } catch (const std::exception& error) {
    throw Error(
        fmt::format("the model fails on {} {}: {}", chunk.size(), noun_of(train_.inputs), sentence_of(error)),
        setting_.where);
  }
}

template <class Real>
double TorchProblem<Real>::mean_value(int client, std::span<const Index> batch, std::span<const Real> x,
                                      std::span<Real> gradient, Use use) const {
  const auto pull = static_cast<Real>(2 * setting_.lambda);  // ∇ λ‖x‖² = 2λx
  for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] = pull == 0 ? Real(0) : pull * x[j];
  Borrowed replica(*this);
  replica.bind(x, gradient);
  double sum = 0;
  for (const auto& [first, last] : equal_parts(std::ssize(batch), largest_chunk)) {
    const double share = static_cast<double>(last - first) / static_cast<double>(batch.size());
    sum += share * chunk_value(*replica, client, batch.subspan(first, last - first), use, share, gradient);
  }
  return setting_.lambda == 0 ? sum : sum + setting_.lambda * dot<Real>(x, x);
}

template <class Real>
double TorchProblem<Real>::value(int client, std::span<const Index> batch, std::span<const Real> x,
                                 std::span<Real> gradient) const {
  return mean_value(client, batch, x, gradient, Use::training);
}

template <class Real>
Use TorchProblem<Real>::use_in_records() const {
  return setting_.running_statistics ? Use::running_statistics : Use::batch_statistics;
}

template <class Real>
double TorchProblem<Real>::loss(int client, std::span<const Index> batch, std::span<const Real> x) const {
  return mean_value(client, batch, x, {}, use_in_records());
}

template <class Real>
void TorchProblem<Real>::start(std::uint64_t seed, std::span<Real> x0) const {
  Real* next = x0.data();
  for (const at::Tensor& parameter : network_->start_parameters(seed))
    next = std::copy_n(parameter.contiguous().template data_ptr<Real>(), parameter.numel(), next);
}

template <class Real>
std::vector<double> TorchProblem<Real>::outputs(const Inputs& inputs, std::span<const Real> x) const {
  Borrowed replica(*this);
  replica.bind(x, {});
  const at::NoGradGuard values_only;
  std::vector<double> all;
  for (const auto& [first, last] : equal_parts(inputs.count(), largest_chunk)) {
    replica->rows.clear();
    for (Index row = first; row < last; ++row) replica->rows.push_back(row);
    load_inputs(inputs, replica->rows, scaling_, nullptr, replica->numbers);
    const at::Tensor part = forward(*replica, 0, use_in_records(), nullptr).to(at::kDouble).contiguous();
    all.insert(all.end(), part.data_ptr<double>(), part.data_ptr<double>() + part.numel());
  }
  return all;
}

// Each client's running statistics, buffer by buffer.
template <class Real>
void TorchProblem<Real>::state(State& state) const {
  if (!setting_.running_statistics) return;
  for (std::size_t k = 0; k < start_buffers_.size(); ++k)
    state.by_client(fmt::format("statistics {}", k), static_cast<Index>(start_buffers_[k].nbytes()),
                    [&](int client) {
                      at::Tensor& buffer = running_[client][k];
                      return std::span(static_cast<std::byte*>(buffer.data_ptr()), buffer.nbytes());
                    });
}

template <class Real>
std::unique_ptr<InputsProblem<Real>> make_here(HeldInputs train, Inputs test, const TorchSetting& setting) {
  return std::make_unique<TorchProblem<Real>>(std::move(train), std::move(test), setting);
}

template std::unique_ptr<InputsProblem<float>> make_here(HeldInputs, Inputs, const TorchSetting&);
template std::unique_ptr<InputsProblem<double>> make_here(HeldInputs, Inputs, const TorchSetting&);

}  // namespace doc2s
