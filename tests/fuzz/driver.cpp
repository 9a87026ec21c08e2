// Drives a target without libFuzzer: runs every seed, then mutated ones until the time is up. Blind, but it needs no
// second build of everything. What ends badly (a signal, an exception, a sanitizer's report, an input that takes longer
// than 10 seconds) is written to a file and named.
//
//   fuzz_kat --seconds 5 --random 1 --words kat.dict --finding FILE SEED-FILE-OR-FOLDER...
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

constexpr unsigned longest_run_seconds = 10;
constexpr std::size_t longest_input = 1 << 16;

std::string current;          // the input that runs
std::string finding_file = "finding";

void save_input() {
  const int file = ::open(finding_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  if (::write(file, current.data(), current.size()) >= 0) ::close(file);
}

// Only calls that are allowed in a handler of signals.
[[noreturn]] void end_badly(int signal) {
  save_input();
  const char* text = signal == SIGALRM ? "finding: an input takes too long\n" : "finding: an input ends by a signal\n";
  [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text, std::strlen(text));
  ::_exit(1);
}

void catch_all_ends() {
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(save_input);
  static char stack[1 << 16];  // a handler of a stack overflow needs one
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action{};
  action.sa_handler = end_badly;
  action.sa_flags = SA_ONSTACK;
  std::vector<int> signals = {SIGABRT, SIGALRM};
  if (!__sanitizer_set_death_callback) signals.insert(signals.end(), {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP});
  for (const int signal : signals) ::sigaction(signal, &action, nullptr);
}

void run(std::string input) {
  current = std::move(input);
  ::alarm(longest_run_seconds);
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
  } catch (const std::exception& error) {
    save_input();
    std::fprintf(stderr, "finding: %s\n", error.what());
    std::exit(1);
  }
  ::alarm(0);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> read_seeds(const std::vector<std::string>& places) {
  std::vector<std::filesystem::path> files;
  for (const std::string& place : places) {
    if (!std::filesystem::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());  // the order of a folder is not the same everywhere
  std::vector<std::string> seeds;
  for (const auto& file : files) seeds.push_back(read_file(file));
  return seeds;
}

// As libFuzzer reads them: a line "word" each, with \xHH for odd bytes.
std::vector<std::string> read_words(const std::string& path) {
  std::vector<std::string> words;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    if (line.size() < 2 || line.front() != '"' || line.back() != '"') continue;
    std::string word;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      if (line[i] != '\\') {
        word += line[i];
      } else if (line[i + 1] == 'x' && i + 4 < line.size()) {
        word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
        i += 3;
      } else {
        word += line[++i];
      }
    }
    words.push_back(word);
  }
  return words;
}

class Mutator {
 public:
  Mutator(std::uint32_t random, std::vector<std::string> seeds, std::vector<std::string> words)
      : random_(random), seeds_(std::move(seeds)), words_(std::move(words)) {}

  std::string next() {
    std::string text = seeds_.empty() || pick(20) == 0 ? noise() : seeds_[pick(seeds_.size())];
    for (std::size_t i = 1 + pick(6); i > 0; --i) change(text);
    if (text.size() > longest_input) text.resize(longest_input);
    return text;
  }

 private:
  std::size_t pick(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  std::string noise() {
    std::string text(pick(400), '\0');
    for (char& c : text) c = static_cast<char>(random_());
    return text;
  }

  void change(std::string& text) {
    const std::size_t at = pick(text.size() + 1), length = pick(pick(3) == 0 ? 200 : 12);
    switch (pick(8)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(pick(text.size() + 1), length)); break;
      case 2: {
        if (seeds_.empty()) break;
        const std::string& other = seeds_[pick(seeds_.size())];
        text.insert(at, other.substr(pick(other.size() + 1), length));
        break;
      }
      case 3:
      case 4: {
        if (words_.empty()) break;
        const std::string& word = words_[pick(words_.size())];
        if (pick(2) == 0) {
          text.insert(at, word);
        } else {
          text.replace(at, word.size(), word);
        }
        break;
      }
      case 5: change_number(text, at); break;
      case 6:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << pick(8)));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random_());
    }
  }

  // The next number after `at` becomes another one.
  void change_number(std::string& text, std::size_t at) {
    static const char* const numbers[] = {"0", "1", "2", "7", "-1", "64", "65", "128", "255", "4294967295",
                                          "18446744073709551615", "9223372036854775808", "100000"};
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
    text.replace(begin, end - begin, numbers[pick(std::size(numbers))]);
  }

  std::mt19937 random_;
  std::vector<std::string> seeds_, words_;
};

}  // namespace

int main(int argc, char** argv) {
  double seconds = 0;
  std::uint32_t random = 1;
  std::vector<std::string> places, words;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (argument == "--seconds") {
      seconds = std::stod(value);
    } else if (argument == "--random") {
      random = static_cast<std::uint32_t>(std::stoul(value));
    } else if (argument == "--words") {
      words = read_words(value);
    } else if (argument == "--finding") {
      finding_file = value;
    } else {
      places.push_back(argument);
      continue;
    }
    ++i;
  }
  catch_all_ends();
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> seeds = read_seeds(places);
  for (const std::string& seed : seeds) run(seed);
  std::uint64_t runs = seeds.size();
  std::printf("%llu seeds", static_cast<unsigned long long>(runs));
  Mutator mutator(random, std::move(seeds), std::move(words));
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    run(mutator.next());
    ++runs;
  }
  std::printf(", %llu runs\n", static_cast<unsigned long long>(runs));
  return 0;
}
