// See the header. Few passes are run: the functions are written nearly as they should be, and time counts.
#include "consistency/native/compile_object.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <utility>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Scalar.h>

#include "base/check.h"
#include "consistency/native/consistent_emitter.h"
#include "consistency/native/views_emitter.h"

namespace heddle::consistency::native {

namespace {

// The processor that code is made for: a name and features, as LLVM spells them.
struct Target {
  std::string processor, features;
};

// On x86-64 one of the levels that many processors share, by what this one says it can do. Its name says less: a
// virtual machine may hide what processors of that name have, and code for them would be illegal.
Target host() {
  const llvm::StringMap<bool> has = llvm::sys::getHostCPUFeatures();
  if (llvm::Triple(llvm::sys::getProcessTriple()).getArch() == llvm::Triple::x86_64) {
    const auto all = [&](std::initializer_list<const char*> names) {
      return std::all_of(names.begin(), names.end(), [&](const char* name) { return has.lookup(name); });
    };
    if (!all({"cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2"})) return {"x86-64", ""};
    if (!all({"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"})) return {"x86-64-v2", ""};
    return {"x86-64-v3", ""};
  }
  Target result{llvm::sys::getHostCPUName().str(), ""};
  for (const auto& feature : has) {
    if (!result.features.empty()) result.features += ',';
    result.features += feature.second ? '+' : '-';
    result.features += feature.first();
  }
  return result;
}

// Passes that cost time and gain nothing on such code (bench/checker). They can only be switched off by
// LLVM's own command line; an option that some version does not have costs time, not more.
void switch_off_slow_passes() {
  constexpr std::pair<const char*, const char*> settings[] = {{"disable-lsr", "true"}, {"enable-misched", "false"}};
  const auto& options = llvm::cl::getRegisteredOptions();
  for (const auto& [name, value] : settings) {
    if (const auto found = options.find(name); found != options.end()) found->second->addOccurrence(1, name, value);
  }
}

std::unique_ptr<llvm::TargetMachine> make_target(std::string& problem) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    switch_off_slow_passes();
  });
  const std::string triple = llvm::sys::getProcessTriple();
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (target == nullptr) return nullptr;
  const Target made_for = host();
  llvm::TargetOptions options;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, made_for.processor, made_for.features, options, llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, true));
  if (!machine) problem = "LLVM has no code generator for " + triple;
  return machine;
}

std::unique_ptr<llvm::Module> make_module(llvm::LLVMContext& context, const CodeRequest& request) {
  auto module = std::make_unique<llvm::Module>("heddle", context);
  StepEmitter steps(*module, request.views);
  emit_update_views(*module, steps, request);
  emit_consistent(*module, steps, request);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(*module, &stream)) throw InternalError("a compiled checker is not well-formed: " + text);
  return module;
}

void tidy(llvm::Module& module) {
  llvm::legacy::FunctionPassManager passes(&module);
  passes.add(llvm::createCFGSimplificationPass());
  passes.add(llvm::createEarlyCSEPass());
  passes.doInitialization();
  for (llvm::Function& function : module) passes.run(function);
  passes.doFinalization();
}

}  // namespace

std::optional<std::string> compile_object(const CodeRequest& request, std::string& problem) {
  const std::unique_ptr<llvm::TargetMachine> target = make_target(problem);
  if (!target) return std::nullopt;
  llvm::LLVMContext context;
  context.setDiscardValueNames(true);
  const std::unique_ptr<llvm::Module> module = make_module(context, request);
  module->setDataLayout(target->createDataLayout());
  module->setTargetTriple(target->getTargetTriple().str());
  tidy(*module);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  llvm::MCContext* unused = nullptr;
  if (target->addPassesToEmitMC(passes, unused, stream, true)) {
    problem = "LLVM cannot write objects for this machine";
    return std::nullopt;
  }
  passes.run(*module);
  return std::string(object.begin(), object.end());
}

std::string print_functions(const CodeRequest& request) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = make_module(context, request);
  tidy(*module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

std::string describe_target() {
  const Target made_for = host();
  return "LLVM " LLVM_VERSION_STRING " " + made_for.processor + " " + made_for.features;
}

}  // namespace heddle::consistency::native
