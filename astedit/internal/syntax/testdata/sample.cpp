// A small container and what uses it.
#include <vector>
#include <string>
#include "local.h"
#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifdef DEBUG
# define TRACE(x) std::cerr << (x)
#else
# define TRACE(x)
#endif

namespace store {

template <typename T, int N = LIMIT>
class Stack : public Base<T>, private Locked {
 public:
  explicit Stack(const T &first) : items_{first}, count_(1) {}
  virtual ~Stack() = default;
  Stack(const Stack &) = delete;

  [[nodiscard]] bool push(T &&item) noexcept override {
    if (count_ >= N) return false;
    items_.push_back(std::move(item));
    ++count_;
    return true;
  }
  template <class F> auto each(F f) const -> decltype(f(items_[0])) {
    for (const auto &i : items_) { f(i); }
    return f(items_.at(0));
  }
  T operator[](int i) const { return items_[i]; }

 private:
  std::vector<T> items_;
  int count_ = 0;
};

enum class Color : unsigned { Red = 1, Green, Blue };
using Names = std::vector<std::string>;
typedef unsigned long size;
static const char *kName = "name\n" " more";
constexpr double pi = 3.14, e{2.71};

}  // namespace store

int main(int argc, char **argv) {
  store::Stack<int> s(1);
  int *p = new int(5), n = static_cast<int>(argc);
  auto add = [&, n](int a, int b = 2) mutable { return a + b + n; };
  for (int i = 0; i < n; i++) s.push(i);
  try {
    TRACE(add(1, 2));
    switch (n) {
      case 1: s.push(2); break;
      default: throw std::runtime_error("bad" + std::to_string(n));
    }
  } catch (const std::exception &error) {
    delete p;
    std::cout << error.what() << R"(raw "text")" << 'c' << nullptr;
  }
  do { n -= 1; } while (n > 0 && p != nullptr || !p);
  return n ? MAX(n, 2) : s[0];
}
