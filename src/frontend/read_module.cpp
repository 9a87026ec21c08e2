// See read_module.h. Tested in load_program_test.cpp.
#include "frontend/read_module.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/last_words.h"
#include "frontend/compile_source.h"
#include "frontend/lower_library.h"

namespace heddle::frontend {

namespace {

enum class FileKind { source, llvm_ir, unknown };

FileKind kind_of(const std::string& file) {
  const std::size_t dot = file.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : file.substr(dot + 1);
  for (const char* known : {"c", "cc", "cpp", "cxx", "C", "i", "ii"}) {
    if (extension == known) return FileKind::source;
  }
  return extension == "ll" || extension == "bc" ? FileKind::llvm_ir : FileKind::unknown;
}

// What is wrong with the file before anything reads it.
std::optional<Diagnostic> check_file(const std::string& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) {
    return Diagnostic{.file = file, .message = fmt::format("cannot open the file: {}", strerror(errno))};
  }
  if (S_ISDIR(status.st_mode)) return Diagnostic{.file = file, .message = "is a directory, not a program"};
  if (kind_of(file) == FileKind::unknown) {
    return Diagnostic{.file = file,
                      .message = "does not look like a program",
                      .hint = "give C (.c), C++ (.cc, .cpp, .cxx, .C), LLVM assembly (.ll) or bitcode (.bc)"};
  }
  if (!S_ISREG(status.st_mode))
    return Diagnostic{.file = file, .message = "is not a file: a pipe or a device cannot be checked"};
  if (access(file.c_str(), R_OK) != 0) {
    return Diagnostic{.file = file, .message = fmt::format("cannot read the file: {}", strerror(errno))};
  }
  return std::nullopt;
}

Diagnostic from_llvm(const std::string& file, const llvm::SMDiagnostic& problem) {
  return {.file = file,
          .line = problem.getLineNo() > 0 ? static_cast<unsigned>(problem.getLineNo()) : 0,
          .column = problem.getColumnNo() >= 0 ? static_cast<unsigned>(problem.getColumnNo()) + 1 : 0,
          .message = problem.getMessage().str(),
          .excerpt = problem.getLineContents().str()};
}

using ModuleResult = Result<std::unique_ptr<llvm::Module>>;

ModuleResult read_llvm_ir(const std::string& file, llvm::LLVMContext& context) {
  const LlvmReads reads(file);
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, problem, context);
  if (!module) return from_llvm(file, problem);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(*module, &stream)) {
    return Diagnostic{.file = file, .message = "the LLVM module is not well formed: " + stream.str()};
  }
  return module;
}

ModuleResult read_bitcode(const std::string& file, const std::string& bitcode, llvm::LLVMContext& context) {
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, file), context);
  if (module) return std::move(*module);
  return Diagnostic{.file = file, .message = "cannot read clang's output: " + llvm::toString(module.takeError())};
}

std::optional<Diagnostic> check_target(const std::string& file, const llvm::Module& module) {
  const llvm::Triple triple(module.getTargetTriple());
  const llvm::DataLayout& layout = module.getDataLayout();
  const bool known_triple =
      triple.getTriple().empty() || (triple.getArch() == llvm::Triple::x86_64 && triple.isOSLinux());
  if (known_triple && layout.isLittleEndian() && layout.getPointerSizeInBits(0) == 64) return std::nullopt;
  return Diagnostic{.file = file,
                    .message = fmt::format("is compiled for '{}'", module.getTargetTriple()),
                    .hint = "Heddle checks programs for x86-64 Linux: compile for x86_64-linux-gnu"};
}

// Collects what LLVM complains about while linking instead of printing it.
class CollectProblems : public llvm::DiagnosticHandler {
 public:
  explicit CollectProblems(std::string& text) : text_(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(text_);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }

 private:
  std::string& text_;
};

// The function or variable that both modules define, so that the message can name it.
std::string duplicate_of(const llvm::Module& x, const llvm::Module& y) {
  for (const llvm::GlobalValue& value : y.global_values()) {
    if (value.isDeclaration() || !value.hasExternalLinkage()) continue;
    const llvm::GlobalValue* other = x.getNamedValue(value.getName());
    if (other && !other->isDeclaration() && other->hasExternalLinkage()) return value.getName().str();
  }
  return "";
}

// Calls with attributes, which only the runtime's version handles, get its name.
void redirect_to_runtime(llvm::Module& module) {
  constexpr unsigned attributes_argument = 1;
  for (const char* name : {"pthread_mutex_init", "pthread_create"}) {
    llvm::Function* function = module.getFunction(name);
    if (!function || !function->isDeclaration()) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function->users())) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledOperand() != function || call->arg_size() <= attributes_argument) continue;
      if (llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(attributes_argument))) continue;
      if (call->getFunctionType() != function->getFunctionType()) continue;  // lowering refuses it
      call->setCalledFunction(module.getOrInsertFunction(std::string("__heddle_") + name, function->getFunctionType()));
    }
  }
}

// A program with keys runs their destructors at the end of its threads.
void add_thread_end(llvm::Module& module) {
  for (const char* name : {"pthread_key_create", "tss_create"}) {
    const llvm::Function* function = module.getFunction(name);
    if (!function || !function->isDeclaration() || function->use_empty()) continue;
    auto* pointer = llvm::PointerType::getUnqual(module.getContext());
    module.getOrInsertFunction(thread_end_function, llvm::FunctionType::get(pointer, {pointer}, false));
  }
}

std::optional<Diagnostic> link_runtime(llvm::Module& module, llvm::LLVMContext& context) {
  redirect_to_runtime(module);
  add_thread_end(module);
  const auto is_needed = [](const llvm::Function& function) {
    return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
           !is_library_function(function.getName().str());
  };
  bool needed = false;
  for (const llvm::Function& function : module) needed |= is_needed(function);
  if (!needed) return std::nullopt;
  auto buffer = llvm::MemoryBuffer::getFile(HEDDLE_RUNTIME_BITCODE);
  if (!buffer) {
    return Diagnostic{.file = HEDDLE_RUNTIME_BITCODE,
                      .message = "cannot read Heddle's own C library: " + buffer.getError().message(),
                      .hint = "the installation is incomplete: build or install Heddle again"};
  }
  auto runtime = llvm::getLazyBitcodeModule((*buffer)->getMemBufferRef(), context);
  if (!runtime) {
    return Diagnostic{.file = HEDDLE_RUNTIME_BITCODE,
                      .message = "cannot read Heddle's own C library: " + llvm::toString(runtime.takeError())};
  }
  bool provides = false;
  for (const llvm::Function& function : module) {
    if (!is_needed(function)) continue;
    const llvm::Function* definition = (*runtime)->getFunction(function.getName());
    provides |= definition && !definition->isDeclaration();
  }
  if (!provides) return std::nullopt;
  for (llvm::Function& function : **runtime) {
    if (!function.isDeclaration()) function.addFnAttr(runtime_attribute);
  }
  (*runtime)->setTargetTriple(module.getTargetTriple());
  (*runtime)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*runtime), llvm::Linker::LinkOnlyNeeded)) {
    return Diagnostic{.message = "cannot link Heddle's own C library into the program"};
  }
  return std::nullopt;
}

// Runtime functions become part of their callers, and so get the position of the call. None of them is recursive;
// one that calls another needs another round.
void inline_runtime(llvm::Module& module) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<llvm::CallBase*> calls;
    for (llvm::Function& function : module) {
      if (!function.hasFnAttribute(runtime_attribute) || function.isDeclaration() || function.isVarArg()) continue;
      for (llvm::User* user : function.users()) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        const bool from_runtime = call && call->getFunction()->hasFnAttribute(runtime_attribute);
        if (call && !from_runtime && call->getCalledFunction() == &function) calls.push_back(call);
      }
    }
    for (llvm::CallBase* call : calls) {
      llvm::InlineFunctionInfo info;
      changed |= llvm::InlineFunction(*call, info, false, nullptr, false).isSuccess();
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
      const bool used = !function.use_empty() || function.getName() == thread_end_function;
      if (!function.hasFnAttribute(runtime_attribute) || used) continue;
      function.eraseFromParent();
      changed = true;
    }
  }
}

// What the runtime asks about the options becomes a constant.
void answer_runtime(llvm::Module& module, const FrontendOptions& options) {
  llvm::Function* function = module.getFunction("__heddle_spurious_wakeups");
  if (!function) return;
  for (llvm::User* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || !call->getType()->isIntegerTy()) continue;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), options.spurious_wakeups ? 1 : 0));
    call->eraseFromParent();
  }
}

struct ReadFiles {
  std::vector<std::unique_ptr<llvm::Module>> modules;
  Diagnostics problems;
};

ReadFiles read_files(const FrontendOptions& options, llvm::LLVMContext& context, std::string& messages) {
  ReadFiles result;
  constexpr std::size_t batch = 8;  // compilers at a time
  for (std::size_t begin = 0; begin < options.files.size(); begin += batch) {
    const std::size_t end = std::min(begin + batch, options.files.size());
    std::vector<Compilation> compilations;
    for (std::size_t i = begin; i < end; ++i) {
      if (kind_of(options.files[i]) != FileKind::source) continue;
      compilations.emplace_back(options.clang, options.files[i], options.clang_flags);
    }
    auto compilation = compilations.begin();
    for (std::size_t i = begin; i < end; ++i) {
      const std::string& file = options.files[i];
      ModuleResult module = std::unique_ptr<llvm::Module>();
      if (kind_of(file) == FileKind::source) {
        Result<std::string> bitcode = (compilation++)->finish(messages);
        module = bitcode ? read_bitcode(file, *bitcode, context) : ModuleResult(bitcode.problems());
      } else {
        module = read_llvm_ir(file, context);
      }
      if (!module) {
        result.problems.insert(result.problems.end(), module.problems().begin(), module.problems().end());
      } else if (auto problem = check_target(file, **module)) {
        result.problems.push_back(*problem);
      } else {
        result.modules.push_back(std::move(*module));
      }
    }
  }
  return result;
}

}  // namespace

Result<std::unique_ptr<llvm::Module>> read_module(const FrontendOptions& options, llvm::LLVMContext& context,
                                                  std::string& messages) {
  if (options.files.empty()) return Diagnostic{.message = "no program given", .hint = "name at least one file"};
  Diagnostics problems;
  for (const std::string& file : options.files) {
    if (auto problem = check_file(file)) problems.push_back(*problem);
  }
  if (!problems.empty()) return problems;

  std::string link_text;
  context.setDiagnosticHandler(std::make_unique<CollectProblems>(link_text));
  ReadFiles files = read_files(options, context, messages);
  if (!files.problems.empty()) return files.problems;

  std::unique_ptr<llvm::Module> module = std::move(files.modules.front());
  for (std::size_t i = 1; i < files.modules.size(); ++i) {
    const std::string duplicate = duplicate_of(*module, *files.modules[i]);
    if (!duplicate.empty()) {
      return Diagnostic{.file = options.files[i],
                        .message = fmt::format("'{}' is defined more than once", duplicate),
                        .hint = "another file given before this one defines it too"};
    }
    if (llvm::Linker::linkModules(*module, std::move(files.modules[i]))) {
      return Diagnostic{.file = options.files[i], .message = "cannot be linked with the other files: " + link_text};
    }
  }
  if (auto problem = link_runtime(*module, context)) return *problem;
  inline_runtime(*module);
  answer_runtime(*module, options);
  return module;
}

}  // namespace heddle::frontend
