// Loading programs: what becomes of variables, globals, types and positions, and what is said about bad input.
#include "frontend/load_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "base/last_words.h"
#include "bytecode/print_program.h"
#include "frontend/compile_source.h"
#include "frontend/test_support.h"

namespace heddle::frontend {
namespace {

using bytecode::Function;
using bytecode::Global;
using bytecode::Instruction;
using bytecode::Opcode;
using bytecode::Program;
using bytecode::StackObjectKind;
using bytecode::Type;

const Function& function_named(const Program& program, const std::string& name) {
  static const Function none;
  for (const Function& function : program.functions) {
    if (function.name == name) return function;
  }
  ADD_FAILURE() << "no function " << name;
  return none;
}

const Global& global_named(const Program& program, const std::string& name) {
  static const Global none;
  for (const Global& global : program.globals) {
    if (global.info.name == name) return global;
  }
  ADD_FAILURE() << "no global " << name;
  return none;
}

// "private", "shared" or "register" (no stack object of that name).
std::string place_of(const Program& program, const std::string& variable) {
  for (const Function& function : program.functions) {
    for (const Instruction& instruction : function.code) {
      if (instruction.op != Opcode::stack_object) continue;
      if (program.objects_of_code[instruction.d].name != variable) continue;
      return static_cast<StackObjectKind>(instruction.c) == StackObjectKind::shared_object ? "shared" : "private";
    }
  }
  return "register";
}

std::size_t count(const Program& program, Opcode op) {
  std::size_t total = 0;
  for (const Function& function : program.functions) {
    total += static_cast<std::size_t>(
        std::count_if(function.code.begin(), function.code.end(), [&](const auto& i) { return i.op == op; }));
  }
  return total;
}

Diagnostic problem_of(FrontendOptions options) {
  auto program = load_program(options);
  if (program || program.problems().empty()) {
    ADD_FAILURE() << "loads although it should not";
    return {};
  }
  return program.problems().front();
}

// LLVM itself never gets past a scope that is inside itself.
TEST(LoadProgram, ModuleThatLlvmNeverFinishesReading) {
  const std::string file = testing::TempDir() + "scope_of_itself.ll";
  std::ofstream(file) << R"(define i32 @main() !dbg !4 {
  ret i32 0, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!5 = !{}
!6 = !DILocation(line: 1, scope: !7)
!7 = distinct !DILexicalBlock(scope: !7, file: !1, line: 1)
)";
  const auto load = [&] {
    seconds_for_llvm = 1;
    load_program({.files = {file}});
  };
  EXPECT_EXIT(load(), testing::KilledBySignal(SIGPROF), "");
}

TEST(LoadProgram, InitialisedScalarsBecomeRegisters) {
  const Program program =
      load_text("int f(int a) { int b = a + 1; int* p = &b; *p += 2; return b; } int main(void) { return f(1); }");
  EXPECT_EQ(count(program, Opcode::stack_object), 0u);
  EXPECT_EQ(count(program, Opcode::load), 0u);
}

TEST(LoadProgram, PerhapsUninitialisedVariablesStayInMemory) {
  const Program program = load_text(R"(
    int f(int c) { int maybe; int surely; if (c) { maybe = 1; surely = 2; } else surely = 3; return maybe + surely; }
    int main(void) { return f(1); })");
  EXPECT_EQ(place_of(program, "maybe"), "private");
  EXPECT_EQ(place_of(program, "surely"), "register");
}

TEST(LoadProgram, CapturedObjectsAreShared) {
  const Program program = load_text(R"(
    #include <pthread.h>
    #include <string.h>
    #include <stdio.h>
    int* leak; int* id(int* p) { return p; }
    void fill(int* p, int n) { for (int i = 0; i < n; ++i) p[i] = i; } void keep(int* p) { leak = p; }
    void* run(void* p) { return p; }
    int main(void) {
      int local[4], kept[4], passed[4], stored[4], same[4]; char text[8]; pthread_t thread; pthread_mutex_t mutex;
      fill(local, 4); keep(kept); leak = stored; *id(same) = 3; memset(text, 0, 8); printf("%s", text);
      pthread_mutex_init(&mutex, 0); pthread_create(&thread, 0, run, passed); pthread_join(thread, 0);
      return local[1];
    })");
  EXPECT_EQ(place_of(program, "local"), "private");
  EXPECT_EQ(place_of(program, "same"), "private");
  EXPECT_EQ(place_of(program, "text"), "private");
  EXPECT_EQ(place_of(program, "thread"), "private");
  EXPECT_EQ(place_of(program, "kept"), "shared");
  EXPECT_EQ(place_of(program, "passed"), "shared");
  EXPECT_EQ(place_of(program, "stored"), "shared");
  EXPECT_EQ(place_of(program, "mutex"), "shared");
}

TEST(LoadProgram, ThreadLocals) {
  const Program program = load_text(R"(
    _Thread_local int mine = 7; _Thread_local long seen; long* leak;
    int main(void) { leak = &seen; return mine++; })");
  ASSERT_EQ(program.thread_locals.size(), 2u);
  const bool first_is_mine = program.thread_locals[0].info.name == "mine";
  const auto& mine = program.thread_locals[first_is_mine ? 0 : 1];
  const auto& seen = program.thread_locals[first_is_mine ? 1 : 0];
  EXPECT_FALSE(mine.shared);
  EXPECT_EQ(mine.bytes, (std::vector<std::uint8_t>{7, 0, 0, 0}));
  EXPECT_TRUE(seen.shared);
  EXPECT_EQ(program.private_thread_local_bytes, 4u);
  EXPECT_EQ(program.shared_thread_local_bytes, 8u);
}

TEST(LoadProgram, GlobalsHaveTheirBytes) {
  const Program program = load_text(R"(
    short numbers[3] = {1, -2, 3}; struct { char c; int i; double d; } mixed = {'x', 258, 1.0};
    int* inside = (int*)&numbers[1]; int f(void) { return 0; } int (*pointer)(void) = f; const int fixed = 5; int zero;
    __int128 wide = ((__int128)1 << 64) + 2;
    int main(void) { return fixed + zero + (inside != 0) + pointer() + mixed.i + (int)wide; })");
  EXPECT_EQ(global_named(program, "numbers").bytes, (std::vector<std::uint8_t>{1, 0, 0xfe, 0xff, 3, 0}));
  EXPECT_EQ(global_named(program, "mixed").bytes,
            (std::vector<std::uint8_t>{'x', 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}));
  const auto word = [&](const std::string& name) {
    std::uint64_t value = 0;
    const auto& bytes = global_named(program, name).bytes;
    for (std::size_t i = 8; i-- > 0;) value = value << 8 | bytes.at(i);
    return value;
  };
  EXPECT_EQ(word("inside"), global_named(program, "numbers").address + 2);
  EXPECT_EQ(program.functions.at((word("pointer") - bytecode::functions_begin) / bytecode::function_slot).name, "f");
  EXPECT_TRUE(global_named(program, "fixed").constant);
  EXPECT_FALSE(global_named(program, "zero").constant);
  EXPECT_EQ(word("wide"), 2u);
  EXPECT_EQ(global_named(program, "wide").bytes.at(8), 1u);
  for (std::size_t i = 1; i < program.globals.size(); ++i) {
    EXPECT_GE(program.globals[i].address,
              program.globals[i - 1].address + program.globals[i - 1].size + bytecode::object_gap);
  }
}

TEST(LoadProgram, TypesNameEveryField) {
  const Program program = load_text(R"(
    typedef struct node { struct node* next; _Atomic int sequence; } node_t;
    struct { const node_t slots[2][3]; union { int i; float f; }; _Bool done; } queue;
    int main(void) { return queue.done; })");
  const Type& whole = program.types.at(global_named(program, "queue").info.type);
  ASSERT_EQ(whole.kind, Type::Kind::structure);
  ASSERT_EQ(whole.fields.size(), 3u);
  EXPECT_EQ(whole.fields[0].name, "slots");
  EXPECT_EQ(whole.fields[1].name, "");
  const Type& outer = program.types.at(whole.fields[0].type);
  EXPECT_EQ(outer.kind, Type::Kind::array);
  EXPECT_EQ(outer.count, 2u);
  const Type& inner = program.types.at(outer.element);
  EXPECT_EQ(inner.count, 3u);
  EXPECT_EQ(inner.size, 48u);
  const Type& node = program.types.at(inner.element);
  EXPECT_EQ(node.name, "struct node");
  ASSERT_EQ(node.fields.size(), 2u);
  EXPECT_EQ(node.fields[1].name, "sequence");
  EXPECT_EQ(node.fields[1].offset, 8u);
  EXPECT_EQ(program.types.at(node.fields[1].type).kind, Type::Kind::signed_integer);
  EXPECT_EQ(program.types.at(program.types.at(node.fields[0].type).element).name, "struct node");
}

TEST(LoadProgram, PositionsKeepThePathAsGiven) {
  TemporaryDirectory directory;
  const std::string file = directory.write("where.c", "int x;\nint main(void) {\n  x = 1;\n  return x;\n}\n");
  const auto program = load_program({.files = {file}});
  ASSERT_TRUE(program);
  const Function& main = function_named(*program, "main");
  EXPECT_EQ(program->files.at(main.declared.file), file);
  EXPECT_EQ(main.declared.line, 2u);
  EXPECT_EQ(main.code.at(0).op, Opcode::store);
  EXPECT_EQ(main.positions.at(0).line, 3u);
  EXPECT_EQ(program->files.at(main.positions.at(0).file), file);
}

TEST(LoadProgram, RuntimeFunctionsAreReportedAtTheirCall) {
  const Program program =
      load_text("#include <string.h>\nchar t[4] = \"abc\";\nint main(void) {\n  return (int)strlen(t);\n}\n");
  ASSERT_EQ(program.functions.size(), 1u);
  bool loads = false;
  for (std::size_t i = 0; i < program.functions[0].code.size(); ++i) {
    if (program.functions[0].code[i].op != Opcode::load) continue;
    loads = true;
    EXPECT_EQ(program.functions[0].positions[i].line, 4u);
  }
  EXPECT_TRUE(loads);
}

TEST(LoadProgram, UnknownFunctionsAreNamed) {
  const Program program = load_text(R"(
    int mystery(int); int __VERIFIER_nondet_int(void); __float128 wide; extern int nowhere;
    int main(void) { asm volatile("" ::: "memory"); asm volatile("cpuid"); wide += 1; return mystery(1) + __VERIFIER_nondet_int() + nowhere; })");
  const std::string text = bytecode::print(program);
  EXPECT_NE(text.find("mystery"), std::string::npos);
  EXPECT_NE(text.find("heddle_choose"), std::string::npos);
  EXPECT_NE(text.find("cpuid"), std::string::npos);
  EXPECT_NE(text.find("a 128-bit floating-point number is not supported"), std::string::npos);
  EXPECT_NE(text.find("nowhere"), std::string::npos);
}

TEST(LoadProgram, UnknownOrdersAreChosenAtRunTime) {
  const Program program = load_text(R"(
    #include <stdatomic.h>
    struct pair { long x, y; }; _Atomic struct pair w; atomic_int x;
    int main(int argc, char** argv) {
      struct pair p = {argc, 2}; atomic_store_explicit(&w, p, argc); return atomic_load_explicit(&x, argc);
    })");
  EXPECT_EQ(count(program, Opcode::store), 3u + 2u);  // and one for each half of p
  const std::string text = bytecode::print(program);
  for (const char* part : {"store.128 relaxed", "store.128 release", "store.128 seq_cst", "load.32 relaxed",
                           "load.32 acquire", "load.32 seq_cst", "atomic store with memory_order_consume",
                           "atomic load with memory_order_acq_rel", "atomic load with a number that is no"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST(LoadProgram, ASwitchOfTheProgramIsItsOwn) {
  const Program program = load_text(R"(
    #include <stdatomic.h>
    atomic_int x;
    int main(int argc, char** argv) {
      switch (argc) {
        case 3: atomic_store_explicit(&x, 1, memory_order_release); break;
        case 5: atomic_store_explicit(&x, 1, memory_order_seq_cst); break;
        default: atomic_store_explicit(&x, 1, memory_order_relaxed);
      }
      return 0;
    })");
  EXPECT_EQ(count(program, Opcode::unreachable), 0u);
}

TEST(LoadProgram, WarningsOfTheCompilerArePassedOn) {
  TemporaryDirectory directory;
  const std::string file = directory.write("a.c", "int main(void) {\n  int unused;\n  return 0;\n}\n");
  std::string messages;
  EXPECT_TRUE(load_program({.files = {file}, .clang_flags = {"-Wall"}}, &messages));
  EXPECT_TRUE(messages.starts_with(file + ":2:7: warning: unused variable")) << messages;
  EXPECT_EQ(messages.find("generated"), std::string::npos) << messages;
}

TEST(LoadProgram, OnlyProgramsWithKeysHaveAFunctionForTheEndOfThreads) {
  EXPECT_FALSE(load_text("#include <pthread.h>\nint main(void) { return pthread_getspecific(0) != 0; }").at_thread_end);
  const Program program =
      load_text("#include <pthread.h>\nint main(void) { pthread_key_t k; return pthread_key_create(&k, 0); }");
  ASSERT_TRUE(program.at_thread_end);
  EXPECT_EQ(program.functions.at(*program.at_thread_end).parameter_slots, 1u);
}

TEST(LoadProgram, FencesAndOrders) {
  const Program program = load_text(R"(
    #include <stdatomic.h>
    atomic_int x;
    int main(void) {
      atomic_signal_fence(memory_order_seq_cst); atomic_thread_fence(memory_order_release); asm volatile("mfence" ::: "memory");
      atomic_store_explicit(&x, 1, memory_order_release); return atomic_load_explicit(&x, memory_order_consume);
    })");
  EXPECT_EQ(count(program, Opcode::fence), 2u);
  const std::string text = bytecode::print(program);
  EXPECT_NE(text.find("load.32 acquire"), std::string::npos);
  EXPECT_NE(text.find("store.32 release"), std::string::npos);
}

TEST(LoadProgram, LoopCountersOnlyOnRequest) {
  const char* text =
      "int main(void) { int n = 0; for (int i = 0; i < 3; ++i) for (int j = 0; j < i; ++j) n++; return n; }";
  const Program without = load_text(text);
  EXPECT_EQ(count(without, Opcode::loop_begin) + count(without, Opcode::loop_iterate), 0u);
  const Program with = load_text(text, {.loop_counters = true});
  EXPECT_EQ(count(with, Opcode::loop_begin), 2u);
  EXPECT_EQ(count(with, Opcode::loop_iterate), 2u);
}

TEST(LoadProgram, FilesAreLinked) {
  TemporaryDirectory directory;
  const std::string a = directory.write("a.c", "int f(void); int main(void) { return f(); }");
  const std::string b = directory.write("b.c", "int f(void) { return 5; }");
  EXPECT_TRUE(load_program({.files = {a, b}}));
  const std::string c = directory.write("c.c", "int f(void) { return 6; }");
  EXPECT_NE(problem_of({.files = {a, b, c}}).message.find("'f' is defined more than once"), std::string::npos);
}

TEST(LoadProgram, BadInput) {
  TemporaryDirectory directory;
  const auto message = [&](const std::string& name, const std::string& text) {
    return problem_of({.files = {directory.write(name, text)}}).message;
  };
  const Diagnostic syntax = problem_of({.files = {directory.write("bad.c", "int main(void) {\n  return x;\n}\n")}});
  EXPECT_EQ(syntax.line, 2u);
  EXPECT_EQ(syntax.column, 10u);
  EXPECT_NE(syntax.message.find("undeclared identifier 'x'"), std::string::npos);
  EXPECT_NE(syntax.excerpt.find("return x;"), std::string::npos);
  EXPECT_NE(message("empty.c", "").find("defines no function"), std::string::npos);
  EXPECT_NE(message("nomain.c", "int f(void) { return 1; }").find("no function 'main'"), std::string::npos);
  EXPECT_NE(message("text.txt", "hello").find("does not look like a program"), std::string::npos);
  EXPECT_NE(message("bad.bc", "BC\xc0\xde and then nonsense").size(), 0u);
  EXPECT_NE(message("main.c", "int main(double x) { return x; }").size(), 0u);
  const Diagnostic assembly =
      problem_of({.files = {directory.write("bad.ll", "define i32 @main() {\n  ret i64 0\n}\n")}});
  EXPECT_EQ(assembly.line, 2u);
  EXPECT_NE(problem_of({.files = {"/nowhere/at/all.c"}}).message.find("cannot open"), std::string::npos);
  EXPECT_NE(problem_of({.files = {directory.path()}}).message.find("directory"), std::string::npos);
  EXPECT_NE(problem_of({}).message.find("no program"), std::string::npos);
  const std::string good = directory.write("good.c", "int main(void) { return 0; }");
  EXPECT_NE(problem_of({.files = {good}, .clang = "no-such-compiler"}).hint.find("clang-19"), std::string::npos);
  EXPECT_NE(problem_of({.files = {good}, .clang_flags = {"-m32"}}).hint.find("x86-64"), std::string::npos);
  EXPECT_NE(problem_of({.files = {good}, .clang_flags = {"--nonsense"}}).message.find("nonsense"), std::string::npos);
}

TEST(LoadProgram, ConformanceProgramsLoad) {
  const char* given = std::getenv("HEDDLE_CONFORMANCE");
  const std::filesystem::path root = given ? given : HEDDLE_SOURCE_DIR "/../shared/conformance";
  if (!std::filesystem::is_directory(root)) GTEST_SKIP() << "no conformance programs: set HEDDLE_CONFORMANCE";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".c") continue;
    const auto program = load_program({.files = {entry.path().string()}});
    if (!program) ADD_FAILURE() << messages_of(program.problems());
  }
}

}  // namespace
}  // namespace heddle::frontend
