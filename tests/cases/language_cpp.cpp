// expect rc11: verified 3
// C++: classes, templates, std::atomic; message passing with release and acquire has three executions.
#include <pthread.h>
#include <atomic>
#include <cassert>
template <class T>
class Cell {
 public:
  void put(T value) { value_.store(value, std::memory_order_release); }
  T get() const { return value_.load(std::memory_order_acquire); }
 private:
  std::atomic<T> value_{0};
};
Cell<long> data;
Cell<bool> flag;
static void* writer(void*) { data.put(1); flag.put(true); return nullptr; }
static void* reader(void*) {
  bool ready = flag.get();
  long seen = data.get();
  assert(!ready || seen == 1);
  return nullptr;
}
int main() {
  pthread_t t[2];
  pthread_create(&t[0], nullptr, writer, nullptr);
  pthread_create(&t[1], nullptr, reader, nullptr);
  for (pthread_t each : t) pthread_join(each, nullptr);
}
