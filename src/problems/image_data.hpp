#pragma once
#include "held_images.hpp"
#include "kinds.hpp"

namespace doc2s {

// What a problem on images is made of in one process.
struct ImageShare {
  HeldImages train;
  Images test;  // in the first process, where there are some
  Split split;  // of all clients
  std::string source;
  std::vector<std::string> notices;
};

// By problem.data and problem.test; `synthetic` makes the images of data = "synthetic".
using MakeImages = void (*)(const Settings& problem, std::uint64_t seed, Images& train, Images& test);
ImageShare image_share(const ProblemRequest& request, bool with_moments, MakeImages synthetic);

// Throws Error where the images have a label beyond the classes.
void check_labels(const Images& images, int classes);

void add_options(std::vector<Option>& options, std::vector<Option> more);

// The options of problems on images: where the images come from.
std::vector<Option> image_source_options();
// Of data = "synthetic".
std::vector<Option> synthetic_image_options();
void refuse_many_pixels(const Settings& problem, Index size, Index dimension);

}  // namespace doc2s
