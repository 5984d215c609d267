// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <png.h>

#include "fetch_parts.hpp"

namespace doc2s {

namespace {

// RAII for libpng's image.
class Picture {
 public:
  explicit Picture(std::string_view png) {
    image_.version = PNG_IMAGE_VERSION;
    png_image_begin_read_from_memory(&image_, png.data(), png.size());
    check();
  }
  ~Picture() { png_image_free(&image_); }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  std::size_t width() const { return image_.width; }
  std::size_t height() const { return image_.height; }

  std::vector<unsigned char> rgb() {
    image_.format = PNG_FORMAT_RGB;
    std::vector<unsigned char> pixels(PNG_IMAGE_SIZE(image_));
    png_image_finish_read(&image_, nullptr, pixels.data(), 0, nullptr);
    check();
    return pixels;
  }

 private:
  void check() const {
    if (PNG_IMAGE_FAILED(image_)) throw NoWay(fmt::format("a picture is damaged ({})", image_.message));
  }
  png_image image_{};
};

}  // namespace

std::string cifar_records_from_png(std::string_view png, const std::vector<int>& labels) {
  constexpr std::size_t pixels = 32 * 32, record = 1 + 3 * pixels;
  Picture picture(png);
  if (picture.width() != pixels || picture.height() != labels.size())
    throw NoWay(fmt::format("a picture is {}x{}, expected {}x{}", picture.width(), picture.height(), pixels,
                            labels.size()));
  const auto rgb = picture.rgb();
  std::string records(labels.size() * record, '\0');
  for (std::size_t image = 0; image < labels.size(); ++image) {
    char* out = records.data() + image * record;
    *out++ = static_cast<char>(labels[image]);
    const unsigned char* in = rgb.data() + image * 3 * pixels;
    for (std::size_t k = 0; k < 3 * pixels; ++k)  // interleaved RGB → planes
      out[k % 3 * pixels + k / 3] = static_cast<char>(in[k]);
  }
  return records;
}

}  // namespace doc2s
