// The key of compiled code. Everything that goes into code_of_request has to be here; the program's own build stands
// for the code generator. Tested in generator_test.cpp.
#include <cstddef>
#include <cstring>
#include <string>

#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include "consistency/native/compile_object.h"
#include "consistency/native/generator.h"
#include "graph/execution_graph.h"

namespace heddle::consistency::native {

namespace {

void add(std::string& text, const automata::Guard& guard) {
  fmt::format_to(std::back_inserter(text), "{:x}/{:x} ", guard.mask, guard.value);
}

void add(std::string& text, const automata::Nfa& nfa) {
  fmt::format_to(std::back_inserter(text), "states {} initial {} accepting", nfa.states, nfa.initial);
  for (const bool accepting : nfa.accepting) text += accepting ? " 1" : " 0";
  text += " empty ";
  for (const automata::Guard& guard : nfa.empty_word) add(text, guard);
  text += '\n';
  for (const automata::Transition& t : nfa.transitions) {
    fmt::format_to(std::back_inserter(text), "{} {} {}{}{} ", t.from, t.to, static_cast<unsigned>(t.step.kind),
                   t.step.inverse ? "-" : "+", t.step.view);
    add(text, t.source);
    add(text, t.target);
    text += '\n';
  }
}

// The identifier that the linker computed from the contents of this program; empty if it has none.
std::string build_identifier() {
  std::string result;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* into) {
        for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = info->dlpi_phdr[i];
          if (header.p_type != PT_NOTE) continue;
          const char* at = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
          const char* const end = at + header.p_memsz;
          while (at + sizeof(ElfW(Nhdr)) <= end) {
            ElfW(Nhdr) note;
            std::memcpy(&note, at, sizeof note);
            const char* name = at + sizeof note;
            const char* content = name + (note.n_namesz + 3) / 4 * 4;
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
              for (unsigned k = 0; k < note.n_descsz; ++k)
                *static_cast<std::string*>(into) += fmt::format("{:02x}", static_cast<unsigned char>(content[k]));
              return 1;
            }
            at = content + (note.n_descsz + 3) / 4 * 4;
          }
        }
        return 1;  // the first is the program itself; libraries do not matter
      },
      &result);
  return result;
}

const std::string& build() {
  static const std::string text = [] {
    if (std::string identifier = build_identifier(); !identifier.empty()) return identifier;
    struct stat status{};
    if (::stat("/proc/self/exe", &status) != 0) return std::string("unknown " __DATE__ " " __TIME__);
    return fmt::format("{} {} {}.{}", status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }();
  return text;
}

}  // namespace

std::string key_of(const CodeRequest& request) {
  static const std::string target = describe_target();
  std::string text = fmt::format("build {}\ntarget {}\nlayout {} {} {} {} {}\nviews {} filter {} searches {}\nlabels",
                                 build(), target, sizeof(graph::Event), sizeof(graph::GraphMemory),
                                 sizeof(graph::Location), sizeof(graph::ThreadEvents), sizeof(NativeScratch),
                                 request.views, request.use_cycle_filter, request.with_searches);
  for (const graph::Labels labels : request.model.labels) fmt::format_to(std::back_inserter(text), " {:x}", labels);
  for (const automata::Nfa& view : request.model.views) {
    text += "\nview ";
    add(text, view);
  }
  for (const SpecialisedConstraint& constraint : request.model.constraints) {
    fmt::format_to(std::back_inserter(text), "\nconstraint {}{}{} ", static_cast<unsigned>(constraint.kind),
                   constraint.marked ? " marked" : "", constraint.filtered ? " filtered" : "");
    add(text, constraint.automaton);
  }
  return text;
}

}  // namespace heddle::consistency::native
