// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files of configs/reproduce, which CMake makes strings of.
namespace doc2s::embedded {

extern const char* const a9a;
extern const char* const rcv1;
extern const char* const mnist;
extern const char* const fashion_mnist;
extern const char* const cifar10;
extern const char* const cifar100;
extern const char* const scaling;
extern const char* const theorem;

}  // namespace doc2s::embedded
