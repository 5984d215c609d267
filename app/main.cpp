// SPDX-License-Identifier: Apache-2.0
#include "doc2s/app/command_line.hpp"

int main(int argc, char** argv) { return doc2s::command_line(argc, argv); }
