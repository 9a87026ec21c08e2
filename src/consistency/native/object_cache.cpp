// See the header. Tested in object_cache_test.cpp.
#include "consistency/native/object_cache.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::consistency::native {

namespace {

constexpr std::size_t header_size = 64;
constexpr const char* suffix = ".code";

// Always header_size bytes, so that sizes can be trusted only if they add up.
std::string header_of(std::string_view key, std::string_view object) {
  std::string text =
      fmt::format("heddle-code 1 {} {} {:016x}", key.size(), object.size(), checksum(object, checksum(key)));
  text.resize(header_size - 1, ' ');
  return text + '\n';
}

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  bool good() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  // Some errors of writing are only told here.
  bool close() {
    const int result = ::close(descriptor_);
    descriptor_ = -1;
    return result == 0;
  }

 private:
  int descriptor_;
};

bool ours(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::optional<std::string> read_all(int descriptor, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(descriptor, bytes.data() + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::uint64_t checksum(std::string_view bytes, std::uint64_t seed) {  // FNV-1a
  for (const char c : bytes) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return seed;
}

std::string ObjectCache::usual_folder() {
  if (const std::string own = variable("HEDDLE_CACHE_DIR"); !own.empty()) return own;
  // The base folder has to be an absolute path (XDG Base Directory Specification).
  if (const std::string base = variable("XDG_CACHE_HOME"); !base.empty() && base[0] == '/') return base + "/heddle";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/heddle";
  return "";
}

std::string ObjectCache::path_of(const std::string& key) const {
  return fmt::format("{}/{:016x}{:016x}{}", folder_, checksum(key), checksum(key, 0x9e3779b97f4a7c15u), suffix);
}

void ObjectCache::remark(const std::string& what, const std::string& path) {
  remarks_.push_back(fmt::format("cache: {} {}", what, path));
}

std::optional<std::string> ObjectCache::read(const std::string& key) {
  struct stat folder{};
  if (::stat(folder_.c_str(), &folder) != 0) return std::nullopt;
  if (!ours(folder)) {
    remark("not used, others can write it:", folder_);
    return std::nullopt;
  }
  const std::string path = path_of(key);
  const File file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.good()) {
    if (errno != ENOENT) remark(fmt::format("cannot read ({})", std::strerror(errno)), path);
    return std::nullopt;
  }
  struct stat status{};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !ours(status)) {
    remark("not used, not a file that only we can write:", path);
    return std::nullopt;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  const std::optional<std::string> bytes = read_all(file.get(), size);
  if (!bytes || size < header_size + key.size()) {
    remark("damaged, made anew:", path);
    return std::nullopt;
  }
  std::string object = bytes->substr(header_size + key.size());
  if (bytes->compare(0, header_size, header_of(key, object)) != 0 ||
      bytes->compare(header_size, key.size(), key) != 0) {
    remark("damaged, made anew:", path);
    return std::nullopt;
  }
  ::futimens(file.get(), nullptr);  // just used; if that cannot be noted, it only goes earlier
  return object;
}

bool ObjectCache::make_folder() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::path(folder_).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (::mkdir(folder_.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    remark(fmt::format("cannot make the folder ({})", std::strerror(errno)), folder_);
    return false;
  }
  struct stat status{};
  if (::stat(folder_.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || !ours(status)) {
    remark("not used, not a folder that only we can write:", folder_);
    return false;
  }
  return true;
}

void ObjectCache::write(const std::string& key, const std::string& object) {
  if (!make_folder()) return;
  remove_oldest();
  const std::string path = path_of(key);
  std::string temporary = path + ".XXXXXX";
  File file(::mkostemp(temporary.data(), O_CLOEXEC));  // with mode 0600
  if (!file.good()) return remark(fmt::format("cannot write ({})", std::strerror(errno)), folder_);
  const bool written =
      write_all(file.get(), header_of(key, object)) && write_all(file.get(), key) && write_all(file.get(), object);
  if (written && file.close() && ::rename(temporary.c_str(), path.c_str()) == 0) return;
  remark(fmt::format("cannot write ({})", std::strerror(errno)), path);
  ::unlink(temporary.c_str());
}

// Leaves room for one more.
void ObjectCache::remove_oldest() {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    // Also what a process that was killed has left behind, which is older than anything in use.
    if (at->path().filename().string().find(suffix) == std::string::npos) continue;
    const fs::file_time_type time = at->last_write_time(error);
    if (error) {  // removed by someone else just now
      error.clear();
      continue;
    }
    entries.emplace_back(time, at->path());
  }
  if (entries.size() < limit_) return;
  std::sort(entries.begin(), entries.end());
  for (std::size_t i = 0; i + limit_ <= entries.size(); ++i) fs::remove(entries[i].second, error);
}

}  // namespace heddle::consistency::native
