// The cache on disk: what was written is found again, and nothing else ever is.
#include "consistency/native/object_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::consistency::native {
namespace {

namespace fs = std::filesystem;

class ObjectCacheTest : public ::testing::Test {
 protected:
  ObjectCacheTest() {
    std::string pattern = (fs::temp_directory_path() / "heddle-cache-XXXXXX").string();
    base_ = ::mkdtemp(pattern.data());
    folder_ = (base_ / "deep" / "cache").string();
  }
  ~ObjectCacheTest() override { fs::remove_all(base_); }

  static std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void put(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path base_;
  std::string folder_;
  const std::string object_ = std::string(
      "\x7f"
      "ELF\0code",
      9);
};

TEST_F(ObjectCacheTest, FindsWhatWasWritten) {
  ObjectCache cache(folder_);
  EXPECT_FALSE(cache.read("key"));
  cache.write("key", object_);
  cache.write("other key", "other");
  EXPECT_EQ(cache.read("key"), object_);
  EXPECT_EQ(ObjectCache(folder_).read("other key"), "other");
  EXPECT_FALSE(cache.read("another key"));
  EXPECT_TRUE(cache.remarks().empty());
  EXPECT_EQ(files(), 2u);
  struct stat status{};
  ASSERT_EQ(::stat(folder_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(ObjectCacheTest, NoticesEveryDamagedByteAndEveryTruncation) {
  ObjectCache cache(folder_);
  cache.write("key", object_);
  const std::string path = cache.path_of("key"), whole = bytes_of(path);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    put(path, damaged);
    EXPECT_FALSE(cache.read("key")) << "byte " << i;
    put(path, whole.substr(0, i));
    EXPECT_FALSE(cache.read("key")) << "cut at " << i;
  }
  put(path, whole + "x");
  EXPECT_FALSE(cache.read("key"));
  EXPECT_FALSE(cache.remarks().empty());
  cache.write("key", object_);
  EXPECT_EQ(cache.read("key"), object_);
}

TEST_F(ObjectCacheTest, TheKeyInTheFileDecidesNotItsName) {
  ObjectCache cache(folder_);
  cache.write("key A", "code A");
  cache.write("key B", "code B");
  put(cache.path_of("key A"), bytes_of(cache.path_of("key B")));  // as if their hashes were the same
  EXPECT_FALSE(cache.read("key A"));
}

TEST_F(ObjectCacheTest, RefusesWhatOthersCouldHaveWritten) {
  ObjectCache cache(folder_);
  cache.write("key", object_);
  const std::string path = cache.path_of("key");
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  EXPECT_FALSE(cache.read("key"));
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  ASSERT_TRUE(cache.read("key"));
  ASSERT_EQ(::chmod(folder_.c_str(), 0777), 0);
  EXPECT_FALSE(cache.read("key"));
  ASSERT_EQ(::chmod(folder_.c_str(), 0700), 0);
  fs::rename(path, path + ".real");
  fs::create_symlink(path + ".real", path);
  EXPECT_FALSE(cache.read("key"));
  EXPECT_EQ(cache.remarks().size(), 3u);
}

TEST_F(ObjectCacheTest, GoesOnWithoutAFolderThatCannotBeMade) {
  put((base_ / "file").string(), "not a folder");
  ObjectCache cache((base_ / "file" / "cache").string());
  cache.write("key", object_);
  EXPECT_FALSE(cache.read("key"));
  EXPECT_FALSE(cache.remarks().empty());
}

TEST_F(ObjectCacheTest, RemovesWhatWasNotUsedForLongest) {
  ObjectCache cache(folder_, 3);
  const auto age = [&](const std::string& key, int seconds) {
    fs::last_write_time(cache.path_of(key), fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
  };
  for (const char* key : {"a", "b", "c"}) cache.write(key, key);
  age("a", 30);
  age("b", 20);
  age("c", 10);
  EXPECT_TRUE(cache.read("a"));  // used just now
  cache.write("d", "d");
  EXPECT_EQ(files(), 3u);
  EXPECT_FALSE(cache.read("b"));
  EXPECT_TRUE(cache.read("a") && cache.read("c") && cache.read("d"));
}

// Every reader must see a whole file or none, whoever writes at the same time.
TEST_F(ObjectCacheTest, ManyProcessesAtOnce) {
  const std::string large(300'000, 'x');
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      ObjectCache cache(folder_);
      bool good = true;
      for (int round = 0; round < 50; ++round) {
        cache.write("key", large);
        const auto found = cache.read("key");
        good = good && found && *found == large;
      }
      ::_exit(good && cache.remarks().empty() ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(files(), 1u);  // no temporary file is left
}

TEST_F(ObjectCacheTest, UsualFolder) {
  const auto set = [](const char* name, const char* value) {
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  };
  const char* before = std::getenv("HOME");
  const std::string home = before == nullptr ? "" : before;
  set("HOME", "/home/someone");
  set("XDG_CACHE_HOME", nullptr);
  set("HEDDLE_CACHE_DIR", nullptr);
  EXPECT_EQ(ObjectCache::usual_folder(), "/home/someone/.cache/heddle");
  set("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(ObjectCache::usual_folder(), "/home/someone/.cache/heddle");
  set("XDG_CACHE_HOME", "/var/cache");
  EXPECT_EQ(ObjectCache::usual_folder(), "/var/cache/heddle");
  set("HEDDLE_CACHE_DIR", "/somewhere");
  EXPECT_EQ(ObjectCache::usual_folder(), "/somewhere");
  set("HEDDLE_CACHE_DIR", nullptr);
  set("XDG_CACHE_HOME", nullptr);
  set("HOME", nullptr);
  EXPECT_EQ(ObjectCache::usual_folder(), "");
  set("HOME", home.c_str());
}

}  // namespace
}  // namespace heddle::consistency::native
