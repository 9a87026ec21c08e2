// See write_output.h. A file is written beside its place under another name, then renamed: readers never see half of
// it.
#include "cli/write_output.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::cli {

namespace {

bool write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

std::string failure(const std::string& path) {
  return fmt::format("cannot write '{}': {}", path, std::strerror(errno));
}

}  // namespace

std::string write_output(const std::string& text, const std::string& path) {
  if (path.empty()) {
    std::fflush(stdout);
    return write_all(STDOUT_FILENO, text) ? "" : failure("standard output");
  }
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {  // a device or pipe cannot be renamed onto
    if (S_ISDIR(status.st_mode)) return fmt::format("cannot write '{}': it is a directory", path);
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return failure(path);
    const bool written = write_all(file, text);
    const std::string problem = written ? "" : failure(path);
    ::close(file);
    return problem;
  }
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return failure(path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  bool good = write_all(file, text) && ::fchmod(file, 0666 & ~mask) == 0 && ::fsync(file) == 0;
  std::string problem = good ? "" : failure(path);
  if (::close(file) != 0 && good) {
    good = false;
    problem = failure(path);
  }
  if (good && ::rename(temporary.c_str(), path.c_str()) != 0) {
    good = false;
    problem = failure(path);
  }
  if (!good) ::unlink(temporary.c_str());
  return problem;
}

bool wants_color(bool no_color, int file_descriptor) {
  const char* variable = std::getenv("NO_COLOR");
  return !no_color && !(variable && *variable) && ::isatty(file_descriptor) == 1;
}

}  // namespace heddle::cli
