// See compile_source.h. Tested in load_program_test.cpp.
#include "frontend/compile_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>
#include <utility>

extern char** environ;

namespace heddle::frontend {

namespace {

// Reads both pipes to their ends, whichever has something to say.
void drain(int output, int messages, std::string& output_text, std::string& messages_text) {
  pollfd watched[2] = {{output, POLLIN, 0}, {messages, POLLIN, 0}};
  std::string* texts[2] = {&output_text, &messages_text};
  char buffer[65536];
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    if (poll(watched, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    for (int i = 0; i < 2; ++i) {
      if (watched[i].fd < 0 || watched[i].revents == 0) continue;
      const ssize_t count = read(watched[i].fd, buffer, sizeof buffer);
      if (count > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        watched[i].fd = -1;
      }
    }
  }
}

void close_if_open(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

// "  12 | code" -> "code"; empty if the line is not an excerpt.
std::string excerpt_of(const std::string& line) {
  const std::size_t bar = line.find(" | ");
  if (bar == std::string::npos || line.find_first_not_of(" 0123456789") != bar + 1) return "";
  return line.substr(bar + 3);
}

// clang's messages but for the last line, "2 warnings generated.".
std::string without_summary(const std::string& text) {
  if (!text.ends_with(" generated.\n")) return text;
  const std::size_t line = text.rfind('\n', text.size() - 2);
  return line == std::string::npos ? "" : text.substr(0, line + 1);
}

// "file:line:column: error: message".
bool parse_located_error(const std::string& line, Diagnostic& result) {
  std::size_t mark = line.find(": error: ");
  std::size_t length = 9;
  const std::size_t fatal = line.find(": fatal error: ");
  if (fatal < mark) {
    mark = fatal;
    length = 15;
  }
  if (mark == std::string::npos) return false;
  result.message = line.substr(mark + length);
  std::string place = line.substr(0, mark);
  unsigned numbers[2] = {0, 0};
  int found = 0;
  while (found < 2) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos || colon + 1 == place.size()) break;
    const std::string digits = place.substr(colon + 1);
    if (digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) break;
    numbers[found++] = static_cast<unsigned>(std::stoul(digits));
    place.resize(colon);
  }
  if (found == 0) return true;  // "clang: error: unknown argument"
  result.file = place;
  result.line = found == 2 ? numbers[1] : numbers[0];
  result.column = found == 2 ? numbers[0] : 0;
  return true;
}

}  // namespace

Diagnostics parse_clang_messages(const std::string& text) {
  Diagnostics result;
  std::istringstream lines(text);
  std::string line;
  bool expect_excerpt = false;
  while (std::getline(lines, line)) {
    Diagnostic found;
    if (parse_located_error(line, found)) {
      result.push_back(std::move(found));
      expect_excerpt = true;
    } else if (expect_excerpt) {
      result.back().excerpt = excerpt_of(line);
      expect_excerpt = false;
    }
  }
  return result;
}

Compilation::Compilation(const std::string& clang, const std::string& file, const std::vector<std::string>& flags)
    : clang_(clang), file_(file) {
  const std::string include_runtime = "-I" HEDDLE_RUNTIME_INCLUDE;
  std::vector<std::string> words{clang, "-c", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-mcx16",
                                 "-D__HEDDLE__=1",
                                 // clang drops an operation whose memory order cannot be; so does the check then.
                                 "-Werror=atomic-memory-ordering", include_runtime};
  // clang leaves out an operation that cannot have the memory order given: no flag may let that pass. -w would, so it
  // is done here.
  for (const std::string& flag : flags) {
    if (flag == "-w") {
      keep_warnings_ = false;
    } else {
      words.push_back(flag);
    }
  }
  words.push_back("-Werror=atomic-memory-ordering");
  // A file whose name starts with a dash is still a file.
  words.push_back(file.starts_with("-") ? "./" + file : file);
  words.push_back("-o");
  words.push_back("-");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  int output[2] = {-1, -1}, messages[2] = {-1, -1};
  if (pipe2(output, O_CLOEXEC) != 0 || pipe2(messages, O_CLOEXEC) != 0) {
    start_error_ = errno;
    for (int& descriptor : output) close_if_open(descriptor);
    return;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  posix_spawn_file_actions_adddup2(&actions, messages[1], 2);
  start_error_ = posix_spawnp(&process_, clang.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close_if_open(output[1]);
  close_if_open(messages[1]);
  output_ = output[0];
  messages_ = messages[0];
  if (start_error_ != 0) process_ = -1;
}

Compilation::Compilation(Compilation&& other) noexcept
    : clang_(std::move(other.clang_)),
      file_(std::move(other.file_)),
      process_(std::exchange(other.process_, -1)),
      output_(std::exchange(other.output_, -1)),
      messages_(std::exchange(other.messages_, -1)),
      start_error_(other.start_error_),
      keep_warnings_(other.keep_warnings_) {}

Compilation::~Compilation() {
  close_if_open(output_);
  close_if_open(messages_);
  if (process_ >= 0) {
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
  }
}

Result<std::string> Compilation::finish(std::string& messages) {
  if (start_error_ == ENOENT) {
    return Diagnostic{.file = file_,
                      .message = fmt::format("the compiler '{}' was not found", clang_),
                      .hint = "install the package clang-19, or make sure that it is in PATH"};
  }
  if (start_error_ != 0) {
    return Diagnostic{.file = file_, .message = fmt::format("cannot run '{}': {}", clang_, strerror(start_error_))};
  }
  std::string bitcode, said;
  drain(output_, messages_, bitcode, said);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {}
  process_ = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    if (keep_warnings_) messages += without_summary(said);
    return bitcode;
  }
  if (WIFSIGNALED(status)) {
    return Diagnostic{
        .file = file_,
        .message = fmt::format("clang was killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))};
  }
  Diagnostics problems = parse_clang_messages(said);
  if (problems.empty()) {
    const std::string text = said.empty() ? "no message" : said;
    problems.push_back({.file = file_, .message = fmt::format("clang failed: {}", text)});
  }
  return problems;
}

}  // namespace heddle::frontend
