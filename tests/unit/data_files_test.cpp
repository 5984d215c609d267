// SPDX-License-Identifier: Apache-2.0
#include "data/files.hpp"

#include <sys/stat.h>

#include <thread>

#include "data_testing.hpp"

namespace doc2s {
namespace {

using data_testing::error_of, data_testing::packed, data_testing::says;

class DataFilesTest : public data_testing::Scratch {
 protected:
  // Every proper part of the bytes, from one byte on, is refused by name.
  void expect_cuts_refused(const std::string& bytes, const std::string& filter) {
    for (std::size_t length = 1; length < bytes.size(); ++length) {
      const auto file = write("cut", bytes.substr(0, length));
      const Error error = error_of([&] { read_whole(file); });
      EXPECT_TRUE(says(error, filter + " file is damaged or truncated")) << length << ": " << error.what();
      EXPECT_EQ(error.where(), file);
    }
  }
};

const std::string text = "+1 1:0.5 3:2\n-1 2:1\n";
const char* const filters[] = {"gzip", "bzip2", "xz", "zstd"};

// printf 'hello\n' | gzip -n, as another program packs it.
const std::string gzip_hello(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\xe7\x02\x00\x20\x30\x3a\x36"
    "\x06\x00\x00\x00",
    26);

std::string long_text() {
  std::string lines;
  for (int k = 0; k < 60000; ++k)
    lines += "+1 " + std::to_string(k % 97 + 1) + ":" + std::to_string(k) + "\n";
  return lines;
}

TEST_F(DataFilesTest, PlainBytesComeBackUnchanged) {
  const std::string odd("a\0b\r\n\xff no newline", 17);
  EXPECT_EQ(read_whole(write("plain", odd)), odd);
  EXPECT_EQ(read_whole(write("long", long_text())), long_text());
}

TEST_F(DataFilesTest, PackedEqualsPlainWhateverTheName) {
  for (const char* filter : filters) {
    EXPECT_EQ(read_whole(write("no-suffix", packed(text, filter))), text) << filter;
    EXPECT_EQ(read_whole(write("wrong.gz", packed(long_text(), filter))), long_text()) << filter;
  }
  EXPECT_EQ(read_whole(write("hello", gzip_hello)), "hello\n");
  EXPECT_EQ(read_whole(write("plain.gz", text)), text);
}

TEST_F(DataFilesTest, EmptyIsEmpty) {
  EXPECT_EQ(read_whole(write("empty", "")), "");
  for (const char* filter : filters) EXPECT_EQ(read_whole(write("packed", packed("", filter))), "") << filter;
}

TEST_F(DataFilesTest, ConcatenatedPackedFilesAreOneText) {
  for (const char* filter : filters)
    EXPECT_EQ(read_whole(write("two", packed(text, filter) + packed("more\n", filter))), text + "more\n")
        << filter;
}

TEST_F(DataFilesTest, CutAtEveryByteIsRefused) {
  for (const char* filter : filters) {
    expect_cuts_refused(packed(text, filter), filter);
    expect_cuts_refused(packed("", filter), filter);
  }
  expect_cuts_refused(gzip_hello, "gzip");
}

TEST_F(DataFilesTest, LongFileCutLateIsRefused) {
  for (const char* filter : filters) {
    std::string bytes = packed(long_text(), filter);
    bytes.resize(bytes.size() - 3);
    const auto file = write("cut", bytes);
    EXPECT_TRUE(says(error_of([&] { read_whole(file); }), "damaged or truncated")) << filter;
  }
}

TEST_F(DataFilesTest, NoFlippedBitGivesOtherBytes) {
  for (const char* filter : {"gzip", "bzip2", "xz"}) {
    const std::string bytes = packed(text, filter);
    for (std::size_t bit = 8 * 8; bit < bytes.size() * 8; ++bit) {
      std::string damaged = bytes;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
      const auto file = write("damaged", damaged);
      try {
        EXPECT_EQ(read_whole(file), text) << filter << " bit " << bit;  // e.g. the hour in gzip's header
      } catch (const Error& error) {
        EXPECT_TRUE(says(error, "damaged")) << error.what();
      }
    }
  }
}

TEST_F(DataFilesTest, BytesBehindTheEndAreRefused) {
  for (const char* filter : filters) {
    const auto file = write("tail", packed(text, filter) + "tail");
    EXPECT_TRUE(says(error_of([&] { read_whole(file); }), "damaged")) << filter;
  }
}

TEST_F(DataFilesTest, PiecesJoinToTheWhole) {
  std::string joined;
  int pieces = 0;
  read_pieces(write("long.gz", packed(long_text(), "gzip")), [&](std::string_view piece) {
    EXPECT_FALSE(piece.empty());
    joined += piece;
    ++pieces;
  });
  EXPECT_EQ(joined, long_text());
  EXPECT_GT(pieces, 1);
}

TEST_F(DataFilesTest, ThrowingTakerPassesThrough) {
  const auto file = write("plain", text);
  EXPECT_THROW(read_pieces(file, [](std::string_view) { throw std::length_error("enough"); }),
               std::length_error);
}

TEST_F(DataFilesTest, ReadsFromAPipe) {
  for (const std::string& bytes : {text, gzip_hello}) {
    const auto pipe = path("pipe");
    std::filesystem::remove(pipe);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] {
      std::ofstream out(pipe, std::ios::binary);
      for (const char c : bytes) out << c << std::flush;
    });
    EXPECT_EQ(read_whole(pipe), bytes == text ? text : "hello\n");
    writer.join();
  }
}

TEST_F(DataFilesTest, MissingFileAndDirectoryAreRefused) {
  const Error missing = error_of([&] { read_whole(path("none")); });
  EXPECT_TRUE(says(missing, "cannot be opened (No such file")) << missing.what();
  EXPECT_EQ(missing.where(), path("none"));
  EXPECT_EQ(missing.exit_code(), 2);
  const Error directory = error_of([&] { read_whole(folder_.string()); });
  EXPECT_TRUE(says(directory, "is a directory")) << directory.what();
}

TEST_F(DataFilesTest, UnreadableFileIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
  const auto file = write("secret", text);
  chmod(file.c_str(), 0);
  EXPECT_TRUE(says(error_of([&] { read_whole(file); }), "Permission denied"));
}

}  // namespace
}  // namespace doc2s
