#include "tasks.hpp"

#include <algorithm>

#include "embedded_configs.hpp"

namespace doc2s {

namespace {

using Words = std::vector<std::string>;

const Words whole_grid = {"method.eta=0.001,0.005,0.01", "method.D=0.05,0.01,0.005"};
const Words coarse_grid = {"method.eta=0.001,0.01", "method.D=0.05,0.005"};

const Size smoke_svm = {96, 48, 48, 12, {"problem.data=synthetic", "problem.size=320"}, coarse_grid};
const Size smoke_mlp = {
    48, 24, 24, 6, {"problem.data=synthetic", "problem.hidden=8", "problem.evaluation=64"}, coarse_grid};
const Size smoke_resnet = {4,
                           2,
                           2,
                           2,
                           {"problem.data=synthetic", "problem.width=0.125", "problem.batch=2",
                            "problem.evaluation=8", "problem.test_images=8", "clients.count=4"},
                           {"method.eta=0.01", "method.D=0.05"}};

// The quick sizes are made for minutes on two cores, the full ones for the paper's.
const Size quick_a9a = {64000, 16000, 32000, 125, {}, whole_grid};
const Size full_a9a = {320000, 80000, 80000, 500, {}, whole_grid};
const Size quick_rcv1 = {3200, 400, 0, 40, {"problem.evaluation=2048"}, coarse_grid};
const Size full_rcv1 = {320000, 80000, 0, 500, {}, whole_grid};
const Size quick_mlp = {4000, 500, 1500, 50, {"problem.hidden=64", "problem.evaluation=512"}, coarse_grid};
const Size full_mlp = {64000, 16000, 16000, 400, {}, whole_grid};
const Size quick_resnet = {96,
                           24,
                           0,
                           8,
                           {"problem.width=0.125", "problem.batch=8", "problem.evaluation=64",
                            "problem.test_images=128", "clients.count=4", "method.T=12"},
                           coarse_grid};
const Size full_resnet = {64000, 16000, 0, 200, {"problem.evaluation=2048"}, whole_grid};

}  // namespace

const Size& Task::size(Scale scale) const {
  return scale == Scale::smoke ? smoke : scale == Scale::quick ? quick : full;
}

const std::vector<Task>& tasks() {
  const Words svm = {"method.eta=0.01", "method.D=0.01"}, mlp = {"method.eta=0.01", "method.D=0.05"};
  static const std::vector<Task> all = {
      {"a9a", "capped-l1 SVM on a9a", embedded::a9a, smoke_svm, quick_a9a, full_a9a, svm, svm},
      {"rcv1", "capped-l1 SVM on rcv1", embedded::rcv1, smoke_svm, quick_rcv1, full_rcv1, svm, svm},
      {"mnist", "MLP on MNIST", embedded::mnist, smoke_mlp, quick_mlp, full_mlp, mlp, mlp},
      {"fashion-mnist", "MLP on Fashion-MNIST", embedded::fashion_mnist, smoke_mlp, quick_mlp, full_mlp, mlp,
       mlp},
      {"cifar10", "ResNet-18 on CIFAR-10", embedded::cifar10, smoke_resnet, quick_resnet, full_resnet, mlp,
       mlp},
      {"cifar100", "ResNet-18 on CIFAR-100", embedded::cifar100, smoke_resnet, quick_resnet, full_resnet, mlp,
       mlp},
  };
  return all;
}

// K and DGFM's own length are no limits: the budget ends all methods alike.
Changes length(Index iterations, Index records) {
  return changes_from({"method.K=1000000", "method.iterations=1000000000",
                       "run.budget.iterations=" + std::to_string(iterations),
                       "run.record_every=" + std::to_string(std::max<Index>(1, iterations / records))});
}

}  // namespace doc2s
