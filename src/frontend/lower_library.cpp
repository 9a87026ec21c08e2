// See lower_library.h. Tested in load_program_test.cpp.
#include "frontend/lower_library.h"

#include <unordered_map>

namespace heddle::frontend {

using bytecode::FloatFunction;
using bytecode::LibraryCall;

namespace {

using Table = std::unordered_map<std::string_view, LibraryFunction>;

void add(Table& table, std::string_view names, const LibraryFunction& function) {
  while (!names.empty()) {
    const std::size_t space = names.find(' ');
    table.emplace(names.substr(0, space), function);
    names = space == std::string_view::npos ? std::string_view() : names.substr(space + 1);
  }
}

void add_threads(Table& table) {
  const auto call = [&](std::string_view names, LibraryCall kind, std::string_view arguments, bool has_result,
                        std::string_view captured = "") {
    add(table, names, {.call = kind, .arguments = arguments, .has_result = has_result, .captured = captured});
  };
  call("pthread_create", LibraryCall::thread_create, "023", true, "3");
  call("thrd_create", LibraryCall::thread_create_c11, "012", true, "2");
  call("pthread_join", LibraryCall::thread_join, "01", true);
  call("thrd_join", LibraryCall::thread_join_c11, "01", true);
  call("pthread_exit thrd_exit", LibraryCall::thread_exit, "0", false, "0");
  call("pthread_self thrd_current", LibraryCall::thread_self, "", true);
  call("pthread_detach thrd_detach", LibraryCall::thread_detach, "0", true);
  call("pthread_mutex_init pthread_spin_init", LibraryCall::mutex_init, "0z", false, "0");
  call("__heddle_mutex_init", LibraryCall::mutex_init, "01", false, "0");
  call("pthread_mutex_lock pthread_spin_lock", LibraryCall::mutex_lock, "0", true, "0");
  call("pthread_mutex_trylock pthread_spin_trylock", LibraryCall::mutex_trylock, "0", true, "0");
  call("pthread_mutex_unlock pthread_spin_unlock", LibraryCall::mutex_unlock, "0", true, "0");
  call("pthread_mutex_destroy pthread_spin_destroy", LibraryCall::mutex_destroy, "0", true, "0");
  call("pthread_barrier_init", LibraryCall::barrier_init, "02", true, "0");
  call("pthread_barrier_wait", LibraryCall::barrier_wait, "0", true, "0");
  call("pthread_barrier_destroy", LibraryCall::barrier_destroy, "0", true, "0");
  call("__heddle_add_between", LibraryCall::add_between, "0123", true, "0");
  call("sched_yield pthread_yield thrd_yield usleep sleep nanosleep thrd_sleep clock_nanosleep",
       LibraryCall::yield_thread, "", false);
}

void add_memory(Table& table) {
  const auto call = [&](std::string_view names, LibraryCall kind, std::string_view arguments, bool has_result) {
    add(table, names, {.call = kind, .arguments = arguments, .has_result = has_result});
  };
  call("malloc valloc _Znwm _Znam", LibraryCall::allocate, "0", true);
  call("aligned_alloc memalign", LibraryCall::allocate_aligned, "01", true);
  call("_ZnwmSt11align_val_t _ZnamSt11align_val_t", LibraryCall::allocate_aligned, "10", true);
  call("realloc", LibraryCall::reallocate, "01", true);
  call("free cfree _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t _ZdlPvmSt11align_val_t", LibraryCall::release,
       "0", false);
  call("memcmp bcmp", LibraryCall::memory_compare, "012", true);
  add(table, "calloc", {.kind = LibraryKind::zeroed_array, .has_result = true});
  add(table, "memcpy __memcpy_chk", {.kind = LibraryKind::copy});
  add(table, "memmove __memmove_chk", {.kind = LibraryKind::move});
  add(table, "memset __memset_chk", {.kind = LibraryKind::set});
}

void add_checking(Table& table) {
  const auto call = [&](std::string_view names, LibraryCall kind, std::string_view arguments) {
    add(table, names, {.call = kind, .arguments = arguments});
  };
  call("heddle_assume __VERIFIER_assume", LibraryCall::assume, "0");
  call("__assert_fail __assert", LibraryCall::assertion_failed, "0");
  call("__heddle_lock_misuse", LibraryCall::lock_misuse, "0");
  call("abort __cxa_pure_virtual", LibraryCall::abort_program, "");
  call("exit _Exit _exit quick_exit", LibraryCall::exit_program, "0");
  add(table, "heddle_choose", {.kind = LibraryKind::choose, .arguments = "01"});
  add(table, "__VERIFIER_nondet_bool __VERIFIER_nondet__Bool", {.kind = LibraryKind::choose, .low = 0, .high = 1});
  add(table, "__VERIFIER_nondet_uchar __VERIFIER_nondet_u8", {.kind = LibraryKind::choose, .low = 0, .high = 255});
  add(table, "__VERIFIER_nondet_char", {.kind = LibraryKind::choose, .low = -128, .high = 127});
  for (const char* name :
       {"__VERIFIER_nondet_int", "__VERIFIER_nondet_uint", "__VERIFIER_nondet_short", "__VERIFIER_nondet_ushort",
        "__VERIFIER_nondet_long", "__VERIFIER_nondet_ulong", "__VERIFIER_nondet_longlong",
        "__VERIFIER_nondet_ulonglong", "__VERIFIER_nondet_size_t", "__VERIFIER_nondet_unsigned",
        "__VERIFIER_nondet_u16", "__VERIFIER_nondet_u32", "__VERIFIER_nondet_float", "__VERIFIER_nondet_double",
        "__VERIFIER_nondet_pointer", "__VERIFIER_nondet_loff_t"}) {
    add(table, name,
        {.kind = LibraryKind::unsupported,
         .text = "the function has too many values to explore each: use heddle_choose(low, high)"});
  }
}

void add_output(Table& table) {
  const auto call = [&](std::string_view names, LibraryCall kind, std::string_view arguments, bool has_result) {
    add(table, names, {.call = kind, .arguments = arguments, .has_result = has_result});
  };
  call("printf", LibraryCall::print, "z0*", true);
  call("__printf_chk", LibraryCall::print, "z1*", true);
  call("fprintf dprintf", LibraryCall::print, "01*", true);
  call("__fprintf_chk __dprintf_chk", LibraryCall::print, "02*", true);
  call("vprintf", LibraryCall::print_va, "01", true);
  call("vfprintf vdprintf", LibraryCall::print_va, "12", true);
  call("__vprintf_chk", LibraryCall::print_va, "12", true);
  call("__vfprintf_chk", LibraryCall::print_va, "23", true);
  call("puts", LibraryCall::put_string, "0o", true);
  call("fputs fputs_unlocked", LibraryCall::put_string, "0z", true);
  call("perror", LibraryCall::put_string, "0o", false);
  call("putchar putc fputc putchar_unlocked putc_unlocked _IO_putc", LibraryCall::put_character, "0", true);
  call("snprintf", LibraryCall::format_to_buffer, "012*", true);
  call("__snprintf_chk", LibraryCall::format_to_buffer, "014*", true);
  call("sprintf", LibraryCall::format_to_buffer, "0m1*", true);
  call("__sprintf_chk", LibraryCall::format_to_buffer, "0m3*", true);
  call("vsnprintf", LibraryCall::format_to_buffer_va, "0123", true);
  call("vsprintf", LibraryCall::format_to_buffer_va, "0m12", true);
  add(table, "fflush setvbuf setbuf setlocale srand srandom pthread_setname_np", {.kind = LibraryKind::nothing});
}

void add_floats(Table& table) {
  const auto both = [&](std::string_view names, FloatFunction function) {
    add(table, names, {.kind = LibraryKind::float_function, .function = function});
  };
  both("sqrt sqrtf sqrtl", FloatFunction::square_root);
  both("fabs fabsf fabsl", FloatFunction::absolute);
  both("floor floorf floorl", FloatFunction::floor);
  both("ceil ceilf ceill", FloatFunction::ceiling);
  both("trunc truncf truncl", FloatFunction::truncate);
  both("round roundf roundl", FloatFunction::round);
  both("rint rintf nearbyint nearbyintf rintl nearbyintl", FloatFunction::round_even);
  both("fmin fminf fminl", FloatFunction::minimum);
  both("fmax fmaxf fmaxl", FloatFunction::maximum);
  both("copysign copysignf copysignl", FloatFunction::copy_sign);
  both("fma fmaf fmal", FloatFunction::fused_multiply_add);
  both("pow powf powl", FloatFunction::power);
  both("exp expf expl", FloatFunction::exponential);
  both("log logf logl", FloatFunction::logarithm);
  both("sin sinf sinl", FloatFunction::sine);
  both("cos cosf cosl", FloatFunction::cosine);
  add(table, "fmod fmodf fmodl", {.kind = LibraryKind::float_remainder});
}

// What programs might well use, and what cannot be checked yet, or not at all.
void add_unsupported(Table& table) {
  const auto no = [&](std::string_view text, std::string_view names) {
    add(table, names, {.kind = LibraryKind::unsupported, .text = text});
  };
  no("semaphores with names are shared with other processes, and the checked program has none", "sem_open sem_close");
  no("locks that give up after some time are not supported: the checked program has no time",
     "pthread_mutex_timedlock pthread_mutex_clocklock mtx_timedlock pthread_timedjoin_np");
  no("thread cancellation is not supported",
     "pthread_cancel pthread_testcancel pthread_setcancelstate pthread_setcanceltype __pthread_register_cancel "
     "__pthread_unregister_cancel");
  no("jumps between functions are not supported", "setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp");
  no("exceptions are not supported", "__cxa_throw __cxa_allocate_exception __cxa_begin_catch __cxa_rethrow");
  no("the checked program has no time", "time clock gettimeofday clock_gettime timespec_get");
  no("the checked program has no other processes and no signals",
     "fork vfork execve execv execvp waitpid wait kill raise signal sigaction pthread_kill pthread_sigmask alarm");
  no("the checked program has no files and no input",
     "fopen fclose fread fgets fgetc getc getchar scanf fscanf open close read write");
}

const Table& table() {
  static const Table built = [] {
    Table result;
    add_threads(result);
    add_memory(result);
    add_checking(result);
    add_output(result);
    add_floats(result);
    add_unsupported(result);
    return result;
  }();
  return built;
}

}  // namespace

const LibraryFunction* find_library_function(std::string_view name) {
  const auto found = table().find(name);
  return found == table().end() ? nullptr : &found->second;
}

bool parse_atomic_function(std::string_view name, AtomicFunction& result) {
  constexpr std::string_view prefix = "__atomic_";
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  result = {name, 0};
  const std::size_t underscore = name.rfind('_');
  if (underscore != std::string_view::npos) {
    const std::string_view last = name.substr(underscore + 1);
    for (const unsigned size : {1u, 2u, 4u, 8u, 16u}) {
      if (last == std::to_string(size)) result = {name.substr(0, underscore), size};
    }
  }
  for (const std::string_view known : {"load", "store", "exchange", "compare_exchange"}) {
    if (result.operation == known) return true;
  }
  for (const std::string_view known : {"add", "sub", "and", "or", "xor", "nand"}) {
    if (result.size != 0 && (result.operation == std::string("fetch_") + std::string(known) ||
                             result.operation == std::string(known) + "_fetch")) {
      return true;
    }
  }
  return false;
}

bool is_library_function(std::string_view name) {
  AtomicFunction ignored;
  return find_library_function(name) != nullptr || parse_atomic_function(name, ignored);
}

ArgumentEffect effect_on_argument(std::string_view name, unsigned index) {
  AtomicFunction atomic;
  if (parse_atomic_function(name, atomic)) {
    // Only the location and, for a compare-exchange or a generic function, the buffers are used as addresses.
    if (atomic.size == 0 || index == 0) return ArgumentEffect::harmless;
    return atomic.operation == "compare_exchange" && index == 1 ? ArgumentEffect::harmless : ArgumentEffect::captured;
  }
  const LibraryFunction* function = find_library_function(name);
  if (!function) return ArgumentEffect::captured;
  if (index < 10 && function->captured.find(static_cast<char>('0' + index)) != std::string_view::npos) {
    return ArgumentEffect::captured;
  }
  const bool returns_first = function->kind == LibraryKind::copy || function->kind == LibraryKind::move ||
                             function->kind == LibraryKind::set || name == "realloc";
  return returns_first && index == 0 ? ArgumentEffect::returned : ArgumentEffect::harmless;
}

}  // namespace heddle::frontend
