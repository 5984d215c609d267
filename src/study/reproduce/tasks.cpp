// SPDX-License-Identifier: Apache-2.0
#include "tasks.hpp"

#include <stdexcept>

#include "doc2s/base/error.hpp"
#include "embedded_configs.hpp"
#include "theory/plan.hpp"

namespace doc2s {

namespace {

using Words = std::vector<std::string>;

const Words mlp = {"problem.evaluation=512", "problem.test_images=2000"};
const Words small_mlp = {"problem.hidden=64", "problem.evaluation=512", "problem.test_images=2000"};
const Words small_resnet = {"problem.width=0.125",     "problem.batch=8", "problem.evaluation=64",
                            "problem.test_images=128", "clients.count=4", "method.T=12"};
const Words quarter_resnet = {"problem.width=0.25",      "problem.batch=16", "problem.evaluation=128",
                              "problem.test_images=256", "clients.count=8",  "method.T=25"};

constexpr bool all = false, few = true;

const Size smoke_svm = {96, 48, 96, 48, 12, 4, 0.5, all, {"problem.data=synthetic", "problem.size=3200"}};
const Size smoke_mlp = {
    384, 12, 24, 24, 6, 4, 0.5, all, {"problem.data=synthetic", "problem.hidden=8", "problem.evaluation=64"}};
const Size smoke_resnet = {8,
                           2,
                           4,
                           2,
                           2,
                           4,
                           1,
                           few,
                           {"problem.data=synthetic", "problem.width=0.125", "problem.batch=2",
                            "problem.evaluation=8", "problem.test_images=8", "clients.count=4"}};

// quick: minutes on two cores. page: hours; the figures of docs/results.md. full: the paper's size; nobody
// has run it whole.
const Size quick_a9a = {64e3, 16e3, 32e3, 32e3, 50, 4, 0.1, all};
const Size page_a9a = {320e3, 80e3, 160e3, 80e3, 100, 16, 0.1, all};
const Size quick_rcv1 = {3200, 400, 800, 0, 20, 4, 0.25, few, {"problem.evaluation=2048"}};
const Size page_rcv1 = {32e3, 8e3, 16e3, 0, 40, 16, 0.1, all, {"problem.evaluation=2048"}};
const Size full_rcv1 = {320e3, 80e3, 160e3, 0, 100, 16, 0.1, all};
const Size quick_mlp = {64e3, 500, 1e3, 1500, 20, 4, 0.25, few, small_mlp};
const Size page_mlp = {102400, 1600, 3200, 0, 40, 16, 0.1, all, mlp};
const Size full_mlp = {1024e3, 16e3, 32e3, 16e3, 100, 16, 0.1, all};
const Size quick_resnet = {768, 24, 48, 0, 8, 4, 1, few, small_resnet};
const Size page_resnet = {12800, 200, 400, 0, 10, 4, 0.25, few, quarter_resnet};
const Size full_resnet = {2048e3, 16e3, 32e3, 0, 100, 16, 0.1, few, {"problem.evaluation=2048"}};

}  // namespace

double Size::budget(const std::string& axis) const {
  if (axis == "samples") return samples;
  if (axis == "computation_rounds") return computation_rounds;
  if (axis == "communication_rounds") return communication_rounds;
  throw std::logic_error("no budget for " + axis);
}

const Size& Task::size(Scale scale) const {
  switch (scale) {
    case Scale::smoke:
      return smoke;
    case Scale::quick:
      return quick;
    case Scale::page:
      return page;
    default:
      return full;
  }
}

const std::vector<Task>& tasks() {
  const Words svm = {"method.eta=0.01", "method.D=0.01"}, net = {"method.eta=0.01", "method.D=0.05"};
  constexpr bool ablations = true, no_ablations = false, both_orders = true, first_only = false;
  static const std::vector<Task> all = {
      {"a9a", "capped-l1 SVM on a9a", embedded::a9a, smoke_svm, quick_a9a, page_a9a, page_a9a, svm, ablations,
       both_orders},
      {"rcv1", "capped-l1 SVM on rcv1", embedded::rcv1, smoke_svm, quick_rcv1, page_rcv1, full_rcv1, svm,
       no_ablations, both_orders},
      {"mnist", "MLP on MNIST", embedded::mnist, smoke_mlp, quick_mlp, page_mlp, full_mlp, net, ablations,
       both_orders},
      {"fashion-mnist", "MLP on Fashion-MNIST", embedded::fashion_mnist, smoke_mlp, quick_mlp, page_mlp,
       full_mlp, net, no_ablations, both_orders},
      {"cifar10", "ResNet-18 on CIFAR-10", embedded::cifar10, smoke_resnet, quick_resnet, page_resnet,
       full_resnet, net, no_ablations, first_only},
      {"cifar100", "ResNet-18 on CIFAR-100", embedded::cifar100, smoke_resnet, quick_resnet, page_resnet,
       full_resnet, net, no_ablations, first_only},
  };
  return all;
}

Study study_on(const Task& task, const std::string& name, const std::string& title, Scale scale) {
  const Size& size = task.size(scale);
  return {name, title, task.name + ".toml", task.config, size.records, size.tuning_share};
}

const std::vector<SampleSplit>& splits() {
  static const std::vector<SampleSplit> all = {
      {"iid", "alike", {"clients.partition=iid"}},
      {"dirichlet", "by Dirichlet(0.1)", {"clients.partition=dirichlet", "clients.alpha=0.1"}},
      {"sorted", "sorted by label", {"clients.partition=sorted"}},
  };
  return all;
}

int exact_rounds_on(const Config& config) {
  const Network network = make_network(config);
  const PlanRequest request{.delta = 0.5,
                            .epsilon = 0.5,
                            .lipschitz = 1,
                            .gradient_bound = 1,
                            .gap = 1,
                            .clients = static_cast<double>(network.clients()),
                            .dimension = 10};
  const auto rounds = exact_rounds(make_plan(request), network, "chebyshev");
  if (!rounds) throw Error("no number of rounds is within what the proof asks", "reproduce");
  return *rounds;
}

}  // namespace doc2s
