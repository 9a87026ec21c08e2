// See the header. Tested in native_code_test.cpp.
#include "consistency/native/link_object.h"

#include <memory>

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>

#include "consistency/native/consistent_emitter.h"
#include "consistency/native/views_emitter.h"

namespace heddle::consistency::native {

namespace orc = llvm::orc;

namespace {

// The linked code lives as long as its session.
class Session {
 public:
  explicit Session(std::unique_ptr<orc::ExecutionSession> session) : session_(std::move(session)), layer_(*session_) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    if (llvm::Error error = session_->endSession()) session_->reportError(std::move(error));
  }

  llvm::Expected<NativeCode> link(const std::string& object) {
    session_->setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });  // look-ups return it
    orc::JITDylib& library = session_->createBareJITDylib("heddle");
    if (auto error = layer_.add(library, llvm::MemoryBuffer::getMemBufferCopy(object, "checker"))) return error;
    NativeCode code;
    if (auto error = find(library, update_views_name, code.update_views)) return error;
    if (auto error = find(library, consistent_name, code.consistent)) return error;
    return code;
  }

 private:
  template <class Function>
  llvm::Error find(orc::JITDylib& library, const char* name, Function*& function) {
    auto symbol = session_->lookup({&library}, name);
    if (!symbol) return symbol.takeError();
    function = symbol->getAddress().toPtr<Function*>();
    return llvm::Error::success();
  }

  std::unique_ptr<orc::ExecutionSession> session_;
  orc::ObjectLinkingLayer layer_;
};

}  // namespace

std::optional<NativeCode> link_object(const std::string& object, std::string& problem) {
  auto control = orc::SelfExecutorProcessControl::Create();
  if (!control) {
    problem = llvm::toString(control.takeError());
    return std::nullopt;
  }
  auto session = std::make_shared<Session>(std::make_unique<orc::ExecutionSession>(std::move(*control)));
  auto code = session->link(object);
  if (!code) {
    problem = llvm::toString(code.takeError());
    return std::nullopt;
  }
  code->owner = std::move(session);
  return *code;
}

}  // namespace heddle::consistency::native
