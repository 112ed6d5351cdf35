// Calls what `all.pydd` has, and compares; the first thing that is wrong ends it.
#include "all.hpp"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#define CHECK(what)                                                                                                             \
    do {                                                                                                                        \
        if (!(what)) {                                                                                                          \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #what);                                                             \
            std::exit(1);                                                                                                       \
        }                                                                                                                       \
    } while (false)

// The error of a call, which there must be.
template <class F> pydd::error raised(F call)
{
    try {
        call();
    } catch (const pydd::error &error) {
        return error;
    }
    std::fprintf(stderr, "no error\n");
    std::exit(1);
}

template <class T> bool equal(const std::vector<T> &a, const std::vector<T> &b) { return a == b; }

static void numbers()
{
    const bool yes[] = {true};
    CHECK(all::b1(true, {yes, {1}}) && !all::b1(false, {yes, {1}}));
    const std::int8_t i1[] = {-100};
    CHECK(all::i1(-28, {i1, {1}}) == -128);
    CHECK(all::i1(-29, {i1, {1}}) == 127);
    CHECK(all::i2(-1, std::vector<std::int16_t>{-32767}) == -32768);
    CHECK(all::i4(-1, std::vector<std::int32_t>{-2147483647}) == -2147483647 - 1);
    CHECK(all::i8(-1, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()}) ==
          std::numeric_limits<std::int64_t>::max());
    CHECK(all::u1(200, std::vector<std::uint8_t>{100}) == 44);
    CHECK(all::u2(65535, std::vector<std::uint16_t>{0}) == 65535);
    CHECK(all::u4(4294967295u, std::vector<std::uint32_t>{0}) == 4294967295u);
    CHECK(all::u8(1, std::vector<std::uint64_t>{~std::uint64_t{1}}) == ~std::uint64_t{0});
    CHECK(all::f4(0.5f, std::vector<float>{0.25f}) == 0.75f);
    CHECK(std::isnan(all::f8(std::nan(""), std::vector<double>{1})));
    CHECK(std::signbit(all::f8(-0.0, std::vector<double>{-0.0})));
    CHECK(all::c8({1, 2}, std::vector<std::complex<float>>{{3, 4}}) == std::complex<float>(-5, 10));
    CHECK(all::c16({1, 2}, std::vector<std::complex<double>>{{3, -4}}) == std::complex<double>(11, 2));
    CHECK(all::delete_(3, 1) == 2);
    CHECK(all::answer() == 42);
    all::nothing();
}

static void layouts()
{
    std::vector<double> values(24);
    for (std::size_t i = 0; i < values.size(); i++) {
        values[i] = static_cast<double>(i);
    }
    const pydd::view<double, 3> cube(values.data(), {2, 3, 4});
    const auto naive = [](pydd::view<const double, 3> a) {
        double s = 0;
        for (double value : a.to_vector()) {
            s = s * 2 + value;
        }
        return s;
    };
    CHECK(all::total(cube) == naive(cube));
    const pydd::view<const double, 3> turned(values.data() + 23, {4, 3, 2}, {-1, -4, -12});
    CHECK(all::total(turned) == naive(turned));
    const pydd::view<const double, 3> broadcast(values.data() + 5, {2, 2, 2}, {0, 0, 0});
    CHECK(all::total(broadcast) == naive(broadcast));
    CHECK(all::total({nullptr, {2, 0, 3}}) == 0);
    // Off its alignment.
    std::vector<char> bytes(8 * sizeof(double) + 1);
    std::memcpy(bytes.data() + 1, values.data(), 8 * sizeof(double));
    CHECK(all::total({reinterpret_cast<const double *>(bytes.data() + 1), {2, 2, 2}}) == all::total({values.data(), {2, 2, 2}}));

    // What is written may overlap what is read: Python's order of steps holds.
    std::vector<double> line{1, 0, 0, 0, 0};
    all::shift({line.data(), {4}}, {line.data() + 1, {4}});
    CHECK(equal(line, {1, 2, 3, 4, 5}));
    std::vector<double> other(3);
    all::shift({line.data(), {3}}, {other.data() + 2, {3}, {-1}});
    CHECK(equal(other, {4, 3, 2}));
}

static void results()
{
    std::vector<double> memory{1, 2, 3, 4, 5, 6};
    // A view of memory that the caller owns.
    auto t = all::transposed({memory.data(), {2, 3}});
    CHECK(t.data() == memory.data() && t.owner() == nullptr && t.shape(0) == 3 && t.stride(0) == 1 && t.stride(1) == 3);
    CHECK(equal(t.to_vector(), {1, 4, 2, 5, 3, 6}) && !t.is_row_major());
    // A view of an array's memory, which lives on.
    pydd::array<double, 1> again;
    {
        auto [doubled, rest] = all::split(memory);
        CHECK(equal(doubled.to_vector(), {2, 4, 6, 8, 10, 12}) && doubled.owner() != nullptr);
        CHECK(std::get<0>(rest) == 6 && std::get<1>(rest)[5]);
        again = all::same(doubled);
        CHECK(again.data() == doubled.data() && again.owner() == doubled.owner());
        const auto third = again.share();
        CHECK(third[0] == 2);
    }
    CHECK(again[5] == 12);
    again = std::move(again);
    again = pydd::array<double, 1>();
    CHECK(again.empty());

    CHECK(equal(all::squares(4).to_vector(), {0, 1, 4, 9}) && all::squares(0).empty() && all::squares(-1).empty());
    const std::vector<double> xs{1, 2, 3};
    CHECK(all::sum_list(xs) == 6 && all::sum_list(xs, 3) == 9 && all::sum_list(xs, 3, 1) == 18);
    CHECK(all::sum_list(pydd::view<const double, 1>()) == 0);
    CHECK(equal(all::back({xs.data() + 2, {3}, {-1}}).to_vector(), {3, 2, 1}));

    CHECK(all::first_above(xs, 1.5) == std::int64_t{1} && !all::first_above(xs, 3));
    CHECK(!all::rows_above(pydd::view<const double, 1>(), 0).has_value());
    CHECK(equal(all::rows_above(xs, 1.5)->to_vector(), {2, 3}) && all::rows_above(xs, 9)->empty());
    CHECK(all::either(true) == 7 && all::either(false) == 0.5);
    CHECK(all::without_axes({memory.data() + 4, {}})() == 6);
    const std::vector<std::complex<float>> complex{{1, 2}, {3, 4}};
    CHECK(equal(all::mirrored(complex).to_vector(), {4, 2}) && all::mirrored(complex).stride(0) == -2);
    CHECK(all::mirrored(pydd::view<const std::complex<float>, 1>()).empty());
    CHECK(all::dots({1, 2}, {3, 4}) == 11);
    CHECK(all::scaled(xs)[2] == 3 && all::scaled(std::vector<float>{2, 3})[1] == 6.0f);
    static_assert(std::is_same_v<decltype(all::scaled(std::vector<float>{2, 3})), pydd::array<float, 1>>);
}

static void sparse()
{
    const std::vector<std::int32_t> indptr{0, 2, 3}, indices{0, 2, 1};
    const std::vector<double> data{1, 2, 3}, x{1, 10, 100};
    pydd::csr_view<const double, std::int32_t> m{indptr, indices, data, 2, 3};
    CHECK(equal(all::times(m, x).to_vector(), {201, 30}));
    auto two = all::twice(m);
    CHECK(two.rows == 2 && two.columns == 3 && equal(all::times(two, x).to_vector(), {402, 60}));
    m.rows = 3;
    CHECK(raised([&] { all::times(m, x); }).name() == "ValueError");
    m.rows = 2;
    const std::vector<std::int32_t> outside{0, 7, 1};
    m.indices = outside;
    CHECK(raised([&] { all::times(m, x); }).name() == "ValueError");
}

static void errors()
{
    const std::vector<double> xs{1, 2, 3};
    const auto index = raised([&] { all::at(xs, 3); });
    CHECK(index.kind() == PYDD_INDEX_ERROR && index.name() == "IndexError" && index.function() == "at");
    CHECK(index.message() == "index 3 is out of bounds for axis 0 with size 3");
    CHECK(index.file().find("all.pydd") != std::string::npos && index.line() > 0 && index.column() > 0);
    const std::string place = "all.pydd:" + std::to_string(index.line()) + ": IndexError: index 3";
    CHECK(std::string(index.what()).find(place) != std::string::npos);
    CHECK(all::at(xs, -3) == 1);
    CHECK(raised([&] { all::at({xs.data(), {-1}}, 0); }).message() == "argument 'a' has a negative dimension");
    CHECK(raised([&] { all::at({nullptr, {2}}, 0); }).kind() == PYDD_VALUE_ERROR);
    CHECK(raised([&] { all::total({xs.data(), {1ll << 40, 1ll << 40, 1}}); }).kind() == PYDD_VALUE_ERROR);
    CHECK(raised([] { all::divide(1, 0); }).kind() == PYDD_ZERO_DIVISION_ERROR);
    CHECK(all::divide(-7, 2) == -4);
    const auto own = raised([] { all::withdraw(1, 2.5); });
    CHECK(own.kind() == PYDD_OWN_EXCEPTION && own.name() == "Overdrawn" && own.message() == "1.00 is less than 2.5");
    CHECK(raised([] { all::deep(0); }).kind() == PYDD_RECURSION_ERROR);
    CHECK(raised([] { all::huge(1ll << 28); }).kind() == PYDD_MEMORY_ERROR);
    CHECK(raised([] { all::huge(1ll << 30); }).kind() == PYDD_VALUE_ERROR);
    // The lowest failing iteration tells.
    std::vector<std::int64_t> places(100000, 0);
    places[70000] = 8;
    places[90000] = 9;
    CHECK(raised([&] { all::parallel_at(xs, places); }).message() == "index 8 is out of bounds for axis 0 with size 3");
}

static std::string printed;

static void printing()
{
    pydd_set_output([](const char *text, std::size_t length, void *to) { static_cast<std::string *>(to)->append(text, length); },
                    &printed);
    all::tell(3, 0.1, std::vector<double>{1, 1e16});
    CHECK(printed == "n is 3 and x 0.1 False\n0.100; [1.0, 1e+16].\n");
    CHECK(raised([] { all::show(std::vector<double>{1}); }).kind() == PYDD_NOT_IMPLEMENTED_ERROR);
    pydd_set_output(nullptr, nullptr);
}

static void stopping()
{
    std::atomic<int> asked{0};
    pydd_set_stop([](void *count) { return ++*static_cast<std::atomic<int> *>(count) > 2 ? 1 : 0; }, &asked);
    CHECK(raised([] { all::forever(1); }).kind() == PYDD_KEYBOARD_INTERRUPT);
    CHECK(asked > 2);
    pydd_set_stop(nullptr, nullptr);
}

static void threads()
{
    std::vector<double> xs(1000003);
    for (std::size_t i = 0; i < xs.size(); i++) {
        xs[i] = static_cast<double>(i);
    }
    pydd_set_num_threads(1);
    CHECK(pydd_num_threads() == 1);
    const double alone = all::parallel_sum(xs);
    pydd_set_num_threads(4);
    std::atomic<int> right{0};
    std::vector<std::thread> pool;
    for (int t = 0; t < 4; t++) {
        pool.emplace_back([&, t] {
            for (int i = 0; i < 5; i++) {
                right += all::parallel_sum(xs) == alone;
                // Errors are the thread's own.
                const std::vector<double> few(static_cast<std::size_t>(t) + 1);
                const auto error = raised([&] { all::at(few, 9); });
                right += error.message().find("size " + std::to_string(t + 1)) != std::string::npos;
            }
        });
    }
    for (std::thread &thread : pool) {
        thread.join();
    }
    CHECK(right == 40);
}

int main()
{
    numbers();
    layouts();
    results();
    sparse();
    errors();
    printing();
    stopping();
    threads();
    std::puts("all right");
}
