// SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"

#include <Python.h>

#include "transport/join.hpp"

namespace doc2s::python {

namespace {

std::atomic<Interrupt*> innermost = nullptr;

}  // namespace

Interrupt::Interrupt(bool takes_over) : takes_over_(takes_over) {
  if (!takes_over_) return;
  outer_ = innermost.exchange(this);
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, &before_);
  sigaction(SIGUSR1, nullptr, &passed_on_before_);
  if (launched_by_mpi() && passed_on_before_.sa_handler == SIG_DFL) sigaction(SIGUSR1, &action, nullptr);
}

Interrupt::~Interrupt() {
  if (!takes_over_) return;
  sigaction(SIGINT, &before_, nullptr);
  sigaction(SIGUSR1, &passed_on_before_, nullptr);
  innermost = outer_;
}

void Interrupt::on_signal(int) {
  Interrupt* const one = innermost;
  const int signals = one ? ++one->signals_ : 2;
  if (signals == 1) {
    one->stop_ = true;
  } else if (signals == 2) {
    PyErr_SetInterrupt();
  } else {
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  }
}

}  // namespace doc2s::python
