// See lower_module.h. Tested in load_program_test.cpp.
#include "frontend/lower_module.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "frontend/capture_analysis.h"
#include "frontend/function_lowering.h"
#include "frontend/read_module.h"

namespace heddle::frontend {

namespace {

// A body for a function of the library whose address the program takes: it calls the function directly.
void add_library_bodies(llvm::Module& module) {
  std::vector<llvm::Function*> taken;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() && !function.isIntrinsic() && function.hasAddressTaken()) taken.push_back(&function);
  }
  for (llvm::Function* function : taken) {
    llvm::Function* wrapper = llvm::Function::Create(function->getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                                     function->getName() + ".address", module);
    function->replaceUsesWithIf(wrapper, [&](llvm::Use& use) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return !call || !call->isCallee(&use);
    });
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", wrapper));
    llvm::FunctionCallee callee(function);
    if (function->isVarArg()) {
      // The variadic arguments cannot be passed on: a function that nobody defines says so if it is reached.
      callee = module.getOrInsertFunction((function->getName() + " (called through a pointer)").str(),
                                          function->getFunctionType());
    }
    std::vector<llvm::Value*> arguments;
    for (llvm::Argument& parameter : wrapper->args()) arguments.push_back(&parameter);
    llvm::CallInst* call = builder.CreateCall(callee, arguments);
    if (function->getReturnType()->isVoidTy()) {
      builder.CreateRetVoid();
    } else {
      builder.CreateRet(call);
    }
  }
}

// main(int argc, char** argv) gets a caller without parameters that passes one argument, the program's name.
llvm::Function* add_caller(llvm::Module& module, llvm::Function* entry) {
  llvm::LLVMContext& context = module.getContext();
  auto* caller = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getInt32Ty(context), false),
                                        llvm::GlobalValue::InternalLinkage, "heddle.start", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", caller));
  auto* pointer = builder.getPtrTy();
  auto* name = builder.CreateGlobalString("program", "program_name", 0, &module);
  auto* list_type = llvm::ArrayType::get(pointer, 2);
  auto* list = new llvm::GlobalVariable(
      module, list_type, false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantArray::get(list_type, {name, llvm::ConstantPointerNull::get(pointer)}), "argv");
  auto* environment = new llvm::GlobalVariable(module, pointer, false, llvm::GlobalValue::InternalLinkage,
                                               llvm::ConstantPointerNull::get(pointer), "environment");
  llvm::Value* values[] = {builder.getInt32(1), list, environment};
  std::vector<llvm::Value*> arguments(values, values + entry->arg_size());
  llvm::Value* status = builder.CreateCall(entry, arguments);
  const bool integer = entry->getReturnType()->isIntegerTy(32);
  builder.CreateRet(integer ? status : static_cast<llvm::Value*>(builder.getInt32(0)));
  return caller;
}

bool takes_main_parameters(const llvm::Function& function) {
  if (function.arg_size() > 3 || function.isVarArg()) return false;
  for (const llvm::Argument& parameter : function.args()) {
    const llvm::Type* type = parameter.getType();
    const bool fits = parameter.getArgNo() == 0 ? type->isIntegerTy(32) : type->isPointerTy();
    if (!fits) return false;
  }
  return true;
}

bool has_constructors(const llvm::Module& module) {
  const llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors");
  if (!list || !list->hasInitializer()) return false;
  const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
  return entries && entries->getNumOperands() > 0;
}

// The debug information of a local variable.
const llvm::DILocalVariable* description_of(const llvm::Value* variable) {
  auto* value = const_cast<llvm::Value*>(variable);
  for (const llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(value)) return declare->getVariable();
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(value)) return record->getVariable();
  return nullptr;
}

}  // namespace

Result<llvm::Function*> prepare_module(llvm::Module& module, const FrontendOptions& options) {
  const std::string& file = options.files.front();
  bool has_code = false;
  for (const llvm::Function& function : module) has_code |= !function.isDeclaration();
  if (!has_code) return Diagnostic{.file = file, .message = "defines no function: there is nothing to check"};
  llvm::Function* entry = module.getFunction(options.entry);
  if (!entry || entry->isDeclaration()) {
    return Diagnostic{.file = file,
                      .message = fmt::format("there is no function '{}' to start with", options.entry),
                      .hint = "define it, or name another one with --entry FUNCTION"};
  }
  if (!takes_main_parameters(*entry)) {
    return Diagnostic{.file = file,
                      .message = fmt::format("'{}' takes parameters that Heddle cannot supply", options.entry),
                      .hint = "the entry function takes no parameters, or (int argc, char** argv)"};
  }
  if (has_constructors(module)) {
    return Diagnostic{.file = file,
                      .message = "code that runs before main (constructors of global objects) is not supported",
                      .hint = "initialise global objects with constants, or at the start of main"};
  }
  for (llvm::Function& function : module) {
    if (function.hasPersonalityFn()) function.setPersonalityFn(nullptr);  // exceptions are not modelled
  }
  add_library_bodies(module);
  return entry->arg_size() == 0 ? entry : add_caller(module, entry);
}

ModuleLowering::ModuleLowering(llvm::Module& module, const CaptureAnalysis& captures, const FrontendOptions& options)
    : module_(module),
      captures_(captures),
      options_(options),
      debug_(program_, options.files),
      globals_(module, program_, debug_),
      loop_bounds_(module, options) {
  program_.objects_of_code.emplace_back();
}

std::uint32_t ModuleLowering::text(const std::string& text) {
  auto [entry, added] = texts_.try_emplace(text, static_cast<std::uint32_t>(program_.texts.size()));
  if (added) program_.texts.push_back(text);
  return entry->second;
}

std::uint32_t ModuleLowering::object(const llvm::Value* variable) {
  const llvm::DILocalVariable* description = description_of(variable);
  if (!description) return 0;
  bytecode::ObjectInfo info;
  info.name = description->getName().str();
  info.type = debug_.type(description->getType());
  info.declared = debug_.position(description->getRawFile(), description->getLine(), 0);
  program_.objects_of_code.push_back(std::move(info));
  return static_cast<std::uint32_t>(program_.objects_of_code.size() - 1);
}

Result<bytecode::Program> ModuleLowering::run(const llvm::Function* entry) {
  Diagnostics problems;
  globals_.place(captures_, problems);
  if (!problems.empty()) return problems;
  globals_.initialise(problems);
  if (!problems.empty()) return problems;
  for (const llvm::Function& function : module_) {
    if (function.isDeclaration()) continue;
    program_.functions.push_back(FunctionLowering(*this, function).run());
  }
  if (Diagnostics complaints = loop_bounds_.complaints(); !complaints.empty()) return complaints;
  program_.entry = globals_.function_index(entry).value();
  if (const llvm::Function* last = module_.getFunction(thread_end_function)) {
    program_.at_thread_end = globals_.function_index(last);
  }
  if (program_.functions[program_.entry].name == "heddle.start") {
    program_.functions[program_.entry].name = options_.entry;
  }
  return std::move(program_);
}

}  // namespace heddle::frontend
