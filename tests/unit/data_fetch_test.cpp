// SPDX-License-Identifier: Apache-2.0
#include "catalogue/fetch.hpp"

#include <png.h>
#include <sys/stat.h>

#include "catalogue/check.hpp"
#include "catalogue/fetch_parts.hpp"
#include "catalogue/sha256.hpp"
#include "data_testing.hpp"

namespace doc2s {
namespace {

using data_testing::error_of, data_testing::packed, data_testing::says, data_testing::tar,
    data_testing::Variable;

std::string png_of(unsigned width, unsigned height, const std::vector<unsigned char>& rgb) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  EXPECT_TRUE(png_image_write_get_memory_size(image, size, 0, rgb.data(), 0, nullptr));
  std::string out(size, '\0');
  EXPECT_TRUE(png_image_write_to_memory(&image, out.data(), &size, 0, rgb.data(), 0, nullptr));
  out.resize(size);
  return out;
}

class FetchTest : public data_testing::Scratch {
 protected:
  FetchTest()
      : data_("DOC2S_DATA", path("data").c_str()),
        share_("XDG_DATA_HOME", nullptr),
        home_("HOME", path("home").c_str()),
        path_("PATH", path("bin").c_str()) {}

 private:
  Variable data_, share_, home_, path_;
};

TEST_F(FetchTest, PicturesBecomeRecords) {
  std::vector<unsigned char> rgb(2 * 1024 * 3);
  for (std::size_t k = 0; k < rgb.size(); ++k) rgb[k] = static_cast<unsigned char>(k * 31 + k / 1024);
  const std::string records = cifar_records_from_png(png_of(1024, 2, rgb), {7, 3});
  ASSERT_EQ(records.size(), 2u * 3073);
  EXPECT_EQ(records[0], 7);
  EXPECT_EQ(records[3073], 3);
  for (std::size_t image = 0; image < 2; ++image)
    for (std::size_t pixel = 0; pixel < 1024; ++pixel)
      for (std::size_t colour = 0; colour < 3; ++colour)
        ASSERT_EQ(static_cast<unsigned char>(records[image * 3073 + 1 + colour * 1024 + pixel]),
                  rgb[(image * 1024 + pixel) * 3 + colour]);
}

TEST_F(FetchTest, OddPicturesAreRefused) {
  const std::vector<unsigned char> rgb(1024 * 3);
  const std::string png = png_of(1024, 1, rgb);
  EXPECT_THROW(cifar_records_from_png(png, {1, 2}), NoWay);
  EXPECT_THROW(cifar_records_from_png(png_of(512, 2, rgb), {1, 2}), NoWay);
  for (std::size_t length = 0; length + 12 < png.size(); ++length)  // the last chunk, IEND, is empty
    EXPECT_THROW(cifar_records_from_png(png.substr(0, length), {1}), NoWay) << length;
}

TEST_F(FetchTest, ProgramsWithoutAShell) {
  const auto script =
      write("bin/tool", "#!/bin/sh\n[ \"$1\" = '; exit 9' ] && [ -e here ] && exit 5\nexit 1\n");
  write("folder/here", "");
  EXPECT_EQ(run_program({"tool"}), -1);  // not executable
  chmod(script.c_str(), 0755);
  EXPECT_EQ(run_program({"tool", "; exit 9"}, path("folder")), 5);
  EXPECT_EQ(run_program({"tool", "; exit 9"}), 1);
  EXPECT_EQ(run_program({"no-such-tool"}), -1);
  write("bin/tool", "#!/bin/sh\nkill -9 $$\n");
  EXPECT_EQ(run_program({"tool"}), 137);
  write("bin/tool", "#!/bin/sh\ncat\necho aside >&2\nexit 4\n");
  const ProgramAnswer answer = ask_program({"tool"}, std::string(1 << 20, 'x'));
  EXPECT_EQ(answer.code, 4);
  EXPECT_EQ(answer.said, std::string(1 << 20, 'x'));
  EXPECT_EQ(ask_program({"no-such-tool"}, "").code, -1);
}

TEST_F(FetchTest, GoesToTheFirstFolderThatCanBeWritten) {
  EXPECT_EQ(fetch_directory(), path("data"));
  const Variable none("DOC2S_DATA", nullptr);
  EXPECT_EQ(fetch_directory(), path("home/.local/share/doc2s"));
  const Variable file("DOC2S_DATA", write("plain", "").c_str());
  EXPECT_EQ(fetch_directory(), path("home/.local/share/doc2s"));
}

TEST_F(FetchTest, ChecksPlainPackedAndArchived) {
  DataSet set;
  set.name = "small";
  set.form = DataSet::Form::cifar10;
  set.files = {{"a.bin", DataFile::Part::train, 1, 3, Sha256().add("abc").hex()},
               {"b.bin", DataFile::Part::train, 1, 3, Sha256().add("xyz").hex()},
               {"c.bin", DataFile::Part::test, 1, 2}};
  set.archive = "small";
  using Verdict = CheckedFile::Verdict;
  const auto verdicts = [&] {
    std::vector<Verdict> all;
    for (const auto& file : check_files(find_set_in(path("small"), set))) all.push_back(file.verdict());
    return all;
  };
  write("small/a.bin", "abc");
  write("small/b.bin.gz", packed("xyZ", "gzip"));
  write("small/c.bin.xz", packed("12", "xz"));
  EXPECT_EQ(verdicts(), (std::vector{Verdict::right, Verdict::wrong, Verdict::unknown}));
  write("small/c.bin.xz", packed("123", "xz"));
  EXPECT_EQ(verdicts()[2], Verdict::wrong);
  std::filesystem::remove_all(path("small"));
  write("small/small.tar.gz", tar({{"x/b.bin", "xyz"}, {"x/a.bin", "abd"}}, "gzip"));
  const auto files = check_files(find_set_in(path("small"), set));
  EXPECT_EQ(verdicts(), (std::vector{Verdict::wrong, Verdict::right, Verdict::wrong}));
  EXPECT_NE(files[0].problem.find(Sha256().add("abd").hex()), std::string::npos);
  EXPECT_NE(files[0].problem.find(Sha256().add("abc").hex()), std::string::npos);
  EXPECT_NE(files[2].problem.find("does not hold"), std::string::npos);
}

TEST_F(FetchTest, WhereNothingIsReachedTheWayByHandIsTold) {
  const Error error = error_of([] { fetch({*data_set_named("mnist")}); });
  for (const char* words : {"npm is not installed", "neither curl nor wget", "by hand", "yann.lecun.com",
                            "train-images-idx3-ubyte.gz"})
    EXPECT_TRUE(says(error, words)) << error.what();
  EXPECT_TRUE(says(error, path("data/mnist"))) << error.what();
}

}  // namespace
}  // namespace doc2s
