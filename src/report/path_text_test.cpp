// Round trip, literal forms, and refusal of everything that is no path.
#include "report/path_text.h"

#include <random>

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using Path = std::vector<std::uint32_t>;

TEST(PathText, WritesRunsOnce) {
  EXPECT_EQ(encode_path({}), "");
  EXPECT_EQ(encode_path({0, 0, 0, 0, 1, 40}), "0*4.1.14");
  EXPECT_EQ(encode_path({0xffffffff}), "1z141z3");
}

TEST(PathText, RoundTrip) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Path path;
    for (unsigned runs = random() % 20; runs > 0; --runs)
      path.insert(path.end(), 1 + random() % 60, random() >> (random() % 32));
    const auto back = decode_path(encode_path(path));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, path);
  }
}

TEST(PathText, RefusesWhatIsNoPath) {
  for (const char* bad :
       {".", "1.", ".1", "1..2", "*3", "1*", "1*0", "!", "1 2", "-1", "1z141z4", "0*1z141z3", "2*tool1", "1*2*3"}) {
    EXPECT_FALSE(decode_path(bad)) << bad;
  }
}

}  // namespace
}  // namespace heddle::report
