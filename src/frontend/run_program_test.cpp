// Runs single-threaded C programs on the machine, by the validator's interpreter and natively: main must return the
// same. The loops below play the explorer: they answer reads from a map of bytes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <map>

#include "frontend/load_program.h"
#include "frontend/test_support.h"
#include "machine/machine.h"
#include "validate/thread_run.h"

extern char** environ;

namespace heddle::frontend {
namespace {

using machine::Action;
using machine::ActionKind;

class Memory {
 public:
  explicit Memory(const machine::Machine& machine) : machine_(machine) {}

  Value read(bytecode::Address address, unsigned size) const {
    Value value;
    for (unsigned i = 0; i < size; ++i) {
      std::uint64_t byte = 0;
      if (const auto known = bytes_.find(address + i); known != bytes_.end()) {
        byte = known->second;
      } else if (Value initial; machine_.initial_value(address + i, 1, initial)) {
        byte = initial.low & 0xff;
      }
      (i < 8 ? value.low : value.high) |= byte << (8 * (i % 8));
    }
    return value;
  }
  void write(bytecode::Address address, unsigned size, Value value) {
    for (unsigned i = 0; i < size; ++i) {
      bytes_[address + i] = static_cast<std::uint8_t>((i < 8 ? value.low : value.high) >> (8 * (i % 8)));
    }
  }

 private:
  const machine::Machine& machine_;
  std::map<bytecode::Address, std::uint8_t> bytes_;
};

// What main returns on the machine, as an exit status; -1 and a failure if it does not get that far.
int run_on_machine(const bytecode::Program& program) {
  std::map<bytecode::Address, std::uint64_t> sizes;
  machine::MachineOptions options;
  options.step_limit = 100'000'000;
  options.object_size = [&](bytecode::Address address) { return sizes[address]; };
  machine::Machine machine(program, options);
  machine::ThreadState state = machine.start(0, program.entry, 0, false);
  Memory memory(machine);
  for (int steps = 0; steps < 10'000'000; ++steps) {
    const Action action = machine.run(state);
    switch (action.kind) {
      case ActionKind::read: machine.supply(state, memory.read(action.address, action.size)); break;
      case ActionKind::write:
        memory.write(action.address, action.size, action.value);
        machine.proceed(state);
        break;
      case ActionKind::finish:
      case ActionKind::exit: return static_cast<int>(action.value.low & 0xff);
      case ActionKind::fence:
      case ActionKind::print:
      case ActionKind::release: machine.proceed(state); break;
      case ActionKind::allocate:
        sizes[action.address] = action.object_size;
        for (std::uint64_t i = 0; action.zeroed && i < action.object_size; ++i) memory.write(action.address + i, 1, {});
        machine.proceed(state);
        break;
      default: {
        const auto& function = program.functions[action.position.function];
        ADD_FAILURE() << "action " << static_cast<int>(action.kind) << " in " << function.name << " line "
                      << function.positions[action.position.instruction].line << ": "
                      << (action.text ? *action.text : "");
        return -1;
      }
    }
  }
  ADD_FAILURE() << "the program does not end";
  return -1;
}

// The same by the second interpreter.
class SecondInterpreter : public validate::Surroundings {
 public:
  int run(const bytecode::Program& program) {
    using Kind = validate::Step::Kind;
    const machine::Machine machine(program, {});  // only for initial values
    Memory memory(machine);
    validate::ThreadRun thread(program, {}, *this, 0, program.entry, 0, false);
    for (int steps = 0; steps < 10'000'000; ++steps) {
      const validate::Step& step = thread.step();
      Value answer;
      switch (step.kind) {
        case Kind::read: answer = memory.read(step.address, step.size); break;
        case Kind::write: memory.write(step.address, step.size, step.value); break;
        case Kind::finish: return static_cast<int>(step.value.low & 0xff);
        case Kind::fence:
        case Kind::print:
        case Kind::release: break;
        case Kind::allocate:
          sizes_[step.address] = step.object_size;
          for (std::uint64_t i = 0; step.zeroed && i < step.object_size; ++i) memory.write(step.address + i, 1, {});
          break;
        default: {
          const auto& function = program.functions[step.position.function];
          ADD_FAILURE() << "step " << static_cast<int>(step.kind) << " in " << function.name << " line "
                        << function.positions[step.position.instruction].line << ": " << step.text;
          return -1;
        }
      }
      thread.answer(answer);
    }
    ADD_FAILURE() << "the program does not end";
    return -1;
  }

 private:
  unsigned next_element(std::uint32_t, bytecode::Address, bytecode::Address, bool) override { return 0; }
  std::uint64_t object_size(bytecode::Address address) override { return sizes_[address]; }
  std::map<bytecode::Address, std::uint64_t> sizes_;
};

int run_command(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  const int error = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return -2;
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -3;
}

void expect_same(const std::string& text, const std::string& name = "program.c") {
  TemporaryDirectory directory;
  const std::string file = directory.write(name, text), binary = directory.path() + "/binary";
  ASSERT_EQ(run_command({"clang-19", "-w", "-mcx16", file, "-o", binary, "-lm", "-lpthread", "-lstdc++"}), 0)
      << "does not compile";
  const int native = run_command({binary});
  ASSERT_GE(native, 0);
  for (const bool counters : {false, true}) {
    const auto program = load_program({.files = {file}, .loop_counters = counters});
    ASSERT_TRUE(program) << messages_of(program.problems());
    EXPECT_EQ(run_on_machine(*program), native);
    EXPECT_EQ(SecondInterpreter().run(*program), native);
  }
}

TEST(RunProgram, Arithmetic) {
  expect_same(R"(
    #include <stdint.h>
    unsigned h = 17; void mix(uint64_t v) { for (int i = 0; i < 8; ++i) { h = h * 31 + (v & 0xff); v >>= 8; } }
    int main(void) {
      int8_t a = -7; uint8_t b = 250; int16_t c = -30000; uint16_t d = 60000; int32_t e = -123456; int64_t f = -9999999999;
      mix(a / 2); mix(a % 3); mix(b * b); mix(c >> 3); mix((uint16_t)(d + d)); mix(e / 7); mix(e % 7); mix(f / 1000);
      mix(f >> 5); mix((uint64_t)f >> 5); mix(a < b); mix(c < d); mix(e < (unsigned)5); mix(f < 0); mix(~e); mix(-e);
      mix(e ^ 0x55); mix(e | 1); mix(e & 0xff0); mix(b << 7); mix(a ? b : c); mix(!a); mix(a && b); mix(a || c);
      mix((int8_t)d); mix((uint64_t)(int8_t)b); e += 5; e <<= 2; e -= b; mix(e); mix(e++ + ++e); _Bool t = f; mix(t);
      mix(__builtin_popcount(e)); mix(__builtin_clzll(f * -1)); mix(__builtin_ctz(48)); mix(__builtin_bswap32(e));
      int r; mix(__builtin_add_overflow(2147483647, b, &r)); mix(r); mix(__builtin_mul_overflow(e, e, &r)); mix(r);
      long s; mix(__builtin_sub_overflow(-9223372036854775807L, 5L, &s)); mix(s);
      return h % 251;
    })");
}

TEST(RunProgram, RecursionAndControlFlow) {
  expect_same(R"(
    int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
    int pick(int x) { switch (x) { case 1: return 10; case 5: x += 2; case 7: return x * 3; case -3: break; default: return 99; } return 55; }
    int odd(unsigned n); int even(unsigned n) { return n == 0 || odd(n - 1); } int odd(unsigned n) { return n != 0 && even(n - 1); }
    int main(void) {
      int h = fib(12) + ack(2, 3);
      for (int i = -4; i < 10; ++i) h = h * 7 + pick(i);
      int a = 1, b = 2, c = 3;
      for (int i = 0; i < 7; ++i) { int t = a; a = b; b = c; c = t; if (i == 4) continue; h = h * 3 + a; }
      int n = 0; do { n += 3; if (n > 20) goto out; } while (n < 100); out: h += n;
      while (1) { if (h % 2 == even(10)) break; h++; }
      return (unsigned)h % 251;
    })");
}

TEST(RunProgram, StructsByValue) {
  expect_same(R"(
    struct small { short a; char b; }; struct three { char c[3]; }; struct pair { long x, y; };
    struct big { int n[10]; struct pair p; }; struct mix { double d; int i; }; struct bits { unsigned a : 3; int b : 13; unsigned long c : 40; };
    union word { int i; char c[4]; };
    struct small f1(struct small s) { s.a += s.b; return s; }
    struct three f2(struct three s) { s.c[2] += s.c[0]; return s; }
    struct pair f3(struct pair p, int k) { return (struct pair){p.y * k, p.x - k}; }
    struct big f4(struct big b) { for (int i = 0; i < 10; ++i) b.n[i] *= i; b.p = f3(b.p, 3); return b; }
    struct mix f5(struct mix m) { m.d *= 2.5; m.i += (int)m.d; return m; }
    struct bits f6(struct bits b) { b.a++; b.b -= 100; b.c *= 3; return b; }
    struct pair table[3] = {{1, 2}, {3, 4}, {5, 6}};
    int main(void) {
      unsigned h = 1;
      struct small s = f1((struct small){300, 5}); h = h * 31 + s.a + s.b;
      struct three t = f2((struct three){{1, 2, 3}}); h = h * 31 + t.c[2];
      struct pair p = f3(table[2], 7); h = h * 31 + p.x + p.y; table[1] = p; struct pair* q = &table[1]; q->x++;
      struct big b = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {11, 12}}; struct big c = f4(b);
      for (int i = 0; i < 10; ++i) h = h * 31 + c.n[i] - b.n[i]; h += c.p.x + table[1].x;
      struct mix m = f5((struct mix){3.25, 4}); h = h * 31 + m.i;
      struct bits z = f6((struct bits){6, -7, 123456789012}); h = h * 31 + z.a + z.b + (unsigned)(z.c >> 7);
      union word w; w.i = 0x01020304; h = h * 31 + w.c[1];
      return h % 251;
    })");
}

TEST(RunProgram, VariadicFunctions) {
  expect_same(R"(
    #include <stdarg.h>
    struct big { long a, b, c; };
    long sum(const char* kinds, ...) {
      va_list list, again; va_start(list, kinds); long total = 0;
      for (; *kinds; ++kinds) switch (*kinds) {
        case 'i': total = total * 3 + va_arg(list, int); break;
        case 'l': total = total * 3 + va_arg(list, long); break;
        case 'd': total = total * 3 + (long)(va_arg(list, double) * 4); break;
        case 'p': total = total * 3 + *va_arg(list, int*); break;
        case 'b': { struct big b = va_arg(list, struct big); total = total * 3 + b.a + b.c; break; }
        case 'c': va_copy(again, list); total += va_arg(again, int); va_end(again); break;
      }
      va_end(list); return total;
    }
    int main(void) {
      int x = 77;
      return (unsigned long)sum("ildpbiciidddddddddiiiiiii", -5, 1L << 40, 2.75, &x, (struct big){1, 2, 3}, 4, 5, 6, 1., 2., 3., 4., 5., 6., 7., 8.,
                                9., 1, 2, 3, 4, 5, 6, 7) % 251;
    })");
}

TEST(RunProgram, FloatingPoint) {
  expect_same(R"(
    #include <math.h>
    float half(float x) { return x / 2; }
    int main(void) {
      double x = 1.5, y = -2.25, z = 0; float f = 3.1f; unsigned h = 0;
      for (int i = 0; i < 20; ++i) { z += sqrt(x * i) - y / (i + 1); f = half(f) + i; x = -x * 1.1; if (x < 0) x = fabs(x); }
      h = (unsigned)(long)(z * 1000) + (unsigned)f; h = h * 31 + (x > y) + (x == x) * 2 + (y <= z) * 4 + (x != y) * 8;
      h = h * 31 + (int)floor(-2.5) + (int)ceil(2.1) + (int)round(2.5) + (int)trunc(-7.9) + (int)fmod(7.5, 2) * 0;
      h = h * 31 + (unsigned char)200.7f + (int)-3.9 + (unsigned)(float)16777217 + (long)(unsigned long)1e18 % 1000;
      double inf = 1 / 0.0, nan = inf - inf; h = h * 31 + (nan == nan) + (nan != nan) * 2 + (inf > 1e300) * 4 + !(nan < 1) * 8;
      h += (unsigned)pow(3, 4) + (unsigned)(exp(1) * 1000) + (unsigned)(cos(0) * 5) + (unsigned)fmax(2, 9) + (unsigned)copysign(3, 1);
      return h % 251;
    })");
}

TEST(RunProgram, StringsAndMemory) {
  expect_same(R"(
    #include <stdlib.h>
    #include <string.h>
    #include <stdio.h>
    static int compare(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }
    const char* words[] = {"pear", "apple", "fig", "banana", "date"};
    int main(void) {
      char buffer[64] = "x"; unsigned h = 7;
      qsort(words, 5, sizeof *words, compare);
      for (int i = 0; i < 5; ++i) { strcat(buffer, words[i]); h = h * 31 + strlen(buffer); }
      char* copy = strdup(buffer); h = h * 31 + (strchr(copy, 'f') - copy) + (strrchr(copy, 'a') - copy) + (strstr(copy, "date") - copy);
      char* more = realloc(copy, 100); memset(more + 50, 'z', 10); memmove(more + 51, more + 50, 9); h = h * 31 + more[59] + memcmp(more, buffer, 5);
      int* zero = calloc(5, sizeof(int)); zero[3] = atoi("-42"); h = h * 31 + zero[3] + zero[4] + (int)strtol("0x1f", 0, 0);
      h = h * 31 + strncmp("abcd", "abxx", 2) + (strcmp("a", "b") < 0) + snprintf(buffer, sizeof buffer, "%d-%s-%05.2f", 42, "hi", 3.14159);
      for (char* p = buffer; *p; ++p) h = h * 31 + *p;
      int (*matrix)[4] = malloc(3 * sizeof *matrix); for (int i = 0; i < 3; ++i) for (int j = 0; j < 4; ++j) matrix[i][j] = i * j;
      int n = 3; int vla[n + 2]; for (int i = 0; i < n + 2; ++i) vla[i] = i * i; h = h * 31 + vla[4] + matrix[2][3];
      free(more); free(zero); free(matrix); printf("%u\n", h);
      return h % 251;
    })");
}

TEST(RunProgram, FunctionPointers) {
  expect_same(R"(
    #include <stdlib.h>
    typedef int (*op)(int, int);
    static int add(int a, int b) { return a + b; } static int mul(int a, int b) { return a * b; }
    static op table[] = {add, mul}; struct object { op run; void (*drop)(void*); struct object* next; };
    static int apply(op f, int n) { int r = 1; for (int i = 1; i < n; ++i) r = f(r, i); return r; }
    int main(void) {
      struct object* list = 0;
      for (int i = 0; i < 4; ++i) { struct object* o = malloc(sizeof *o); o->run = table[i % 2]; o->drop = free; o->next = list; list = o; }
      int h = 0; while (list) { struct object* o = list; list = o->next; h = h * 5 + apply(o->run, 6); o->drop(o); }
      return (unsigned)h % 251;
    })");
}

TEST(RunProgram, WideIntegers) {
  expect_same(R"(
    typedef unsigned __int128 u128; typedef __int128 i128;
    u128 power(u128 b, int n) { return n == 0 ? 1 : b * power(b, n - 1); }
    i128 global = -5; struct holder { u128 v; int k; } held = {((u128)7 << 64) | 9, 3};
    int main(void) {
      u128 x = power(7, 40); i128 y = -(i128)x / 12345; unsigned h = 0;
      for (int i = 0; i < 5; ++i) { h = h * 31 + (unsigned)(x >> (i * 20)); x = (x << 3) ^ (x >> 100); y = y * 3 + i; global += y >> 7; }
      h = h * 31 + (unsigned)(y % 1000) + (x > (u128)y) + (y < 0) * 2 + (global < y) * 4; held.v += x; h += (unsigned)(held.v >> 64) * held.k;
      h += (unsigned)(int)(double)(x >> 100) + (unsigned)((u128)1e25 >> 3) + __builtin_popcountll(x);
      u128 expected = held.v; h += __sync_bool_compare_and_swap(&held.v, expected, expected + 1) + (unsigned)held.v;
      return h % 251;
    })");
}

TEST(RunProgram, AtomicsAndThreadLocals) {
  expect_same(R"(
    #include <stdatomic.h>
    #include <string.h>
    _Atomic int a = 3; _Atomic unsigned char b = 250; _Atomic(void*) p; struct pair { long x, y; }; _Atomic struct pair w; atomic_flag flag;
    static _Thread_local int mine = 5; static _Thread_local int seen[3] = {1, 2, 3}; int* leak;
    int main(void) {
      unsigned h = 0; int e = 3;
      h = h * 31 + atomic_fetch_add(&a, 4) + atomic_exchange(&a, 9) + atomic_fetch_xor(&a, 5) + (b += 10);
      h = h * 31 + atomic_compare_exchange_strong(&a, &e, 1) + e + atomic_compare_exchange_strong(&a, &e, 100) + a;
      atomic_store(&p, &h); h += atomic_load(&p) == &h; struct pair v = {1, 2}; atomic_store(&w, v); v = atomic_load(&w); h = h * 31 + v.y;
      struct pair n = {7, 8}; h += atomic_compare_exchange_weak(&w, &v, n); v = atomic_load(&w); h = h * 31 + v.x;
      h += atomic_flag_test_and_set(&flag) + atomic_flag_test_and_set(&flag) * 2; atomic_flag_clear(&flag); atomic_thread_fence(memory_order_seq_cst);
      leak = &seen[1]; *leak += mine; mine = seen[1]; h = h * 31 + mine + __atomic_add_fetch(&mine, 2, __ATOMIC_RELAXED);
      return h % 251;
    })");
}

TEST(RunProgram, Vectors) {
  expect_same(R"(
    #include <complex.h>
    typedef int v4 __attribute__((vector_size(16))); typedef short v8 __attribute__((vector_size(16))); typedef double d2 __attribute__((vector_size(16)));
    typedef unsigned char v16 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16)));
    struct ff { float a, b; }; struct f3 { float a, b, c; }; struct fi { float a; int b; };
    struct ff turn(struct ff x) { return (struct ff){-x.b, x.a}; } struct f3 roll(struct f3 x) { return (struct f3){x.c, x.a, x.b}; }
    struct fi next(struct fi x) { return (struct fi){x.b, x.a}; } v4 g = {1, -2, 3, -4}; _Complex float z = 1.5f + 2 * I;
    int main(void) {
      unsigned h = 0; v4 a = g, b = {5, 6, 7, 8}; v8 s; d2 d = {1.5, 2.5}; v16 c;
      v4 r = (a * b + (a >> 1)) ^ (b / 3) ^ (a % 3); r = ((r < b) & r) | (~(r < b) & -b); s = (v8)r + 3; c = (v16)s; c[3] += 7; c[h + 5] ^= c[2];
      for (int i = 0; i < 4; ++i) h = h * 31 + r[i]; for (int i = 0; i < 8; ++i) h = h * 31 + s[i]; for (int i = 0; i < 16; ++i) h = h * 31 + c[i];
      d = d * d - 1; f4 f = __builtin_convertvector(a, f4) * 1.5f; h = h * 31 + (int)(d[0] * 100) + (int)f[3] + (d > 2)[1];
      v4 t = __builtin_shufflevector(a, b, 7, 2, 0, 5); for (int i = 0; i < 4; ++i) h = h * 31 + t[i]; g = t; h += g[1];
      struct ff p = turn((struct ff){1, 2}); struct f3 q = roll((struct f3){1, 2, 3}); struct fi o = next((struct fi){4, 5});
      h = h * 31 + p.a * 3 + p.b * 5 + q.a * 7 + q.b * 11 + q.c * 13 + o.a * 17 + o.b; z = z * z + ~z; h += (int)(10 * (__real__ z + 3 * __imag__ z));
      return h % 251;
    })");
}

TEST(RunProgram, LongDouble) {
  expect_same(R"(
    #include <math.h>
    #include <stdarg.h>
    #include <stdio.h>
    struct s { int i; long double l; }; long double g[2] = {0.1L, -3}; unsigned h;
    void mix(long double x) { char t[60]; int n = snprintf(t, sizeof t, "%.15La", x); for (int i = 0; i < n; ++i) h = h * 31 + t[i]; }
    void all(int n, ...) { va_list l; va_start(l, n); while (n--) { mix(va_arg(l, int)); mix(va_arg(l, long double)); struct s s = va_arg(l, struct s); mix(s.i + s.l); } va_end(l); }
    struct s twice(struct s s) { s.l *= 2; return s; }
    int main(int argc, char** argv) {
      long double a = g[0] + argc, b = a / 3; mix(a); mix(b); mix(a * b - g[1]); mix(-b); mix(sqrtl(a)); mix(fmodl(a, g[0])); mix(floorl(-a)); mix(fmal(a, b, 1));
      mix((float)b); mix((double)b); mix((long)(b * 1e18L)); mix((unsigned long)(b * 4e19L)); mix((__int128)(b * 1e30L) >> 64); mix((long double)(1UL << 63)); mix((long double)-7);
      h = h * 31 + (a < b) + (a > b) * 2 + (a == a) * 4 + (b != b) * 8 + (a >= 1.1) * 16; struct s s = {argc, b}; s = twice(s); mix(s.l); g[1] = s.l; mix(g[1]);
      all(2, 5, a, s, 6, b, s); long double sum = 0; for (int i = 0; i < 5; ++i) sum += i % 2 ? a : b; mix(sum); mix(argc > 1 ? a : b);
      return h % 251;
    })");
}

TEST(RunProgram, PlainCPlusPlus) {
  expect_same(R"(
    struct Shape { int side; Shape(int s) : side(s) {} virtual ~Shape() {} virtual int area() const { return side; } };
    struct Square : Shape { using Shape::Shape; int area() const override { return side * side; } };
    template <class T> T twice(T x) { return x + x; }
    int main() { Shape* s = new Square(5); Shape r(3); int total = s->area() + r.area() + twice(4); delete s; return total; })",
              "program.cpp");
}

TEST(RunProgram, ArgumentsOfMain) {
  expect_same("int main(int argc, char** argv) { return argc + (argv[0] != 0) * 2 + (argv[argc] == 0) * 4; }");
}

}  // namespace
}  // namespace heddle::frontend
