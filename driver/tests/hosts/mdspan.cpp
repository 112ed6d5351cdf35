// Views of `std::mdspan`: of the compiler's own, where it has one, and of a type with its interface.
#include "all.hpp"

#include <cstdio>
#include <vector>

// A matrix in columns, as `std::mdspan<double, dextents<size_t, 2>, layout_left>` is.
struct columns {
    using element_type = double;
    static constexpr std::size_t rank() noexcept { return 2; }
    double *data_handle() const noexcept { return data; }
    std::size_t extent(std::size_t axis) const noexcept { return axis == 0 ? 2 : 3; }
    std::size_t stride(std::size_t axis) const noexcept { return axis == 0 ? 1 : 2; }
    double *data;
};

static_assert(std::is_convertible_v<columns, pydd::view<const double, 2>>);
static_assert(!std::is_convertible_v<columns, pydd::view<const double, 3>>);
static_assert(!std::is_convertible_v<columns, pydd::view<const float, 2>>);

int main()
{
    std::vector<double> values{1, 4, 2, 5, 3, 6};
    const auto t = all::transposed(columns{values.data()});
    bool right = t.to_vector() == std::vector<double>{1, 4, 2, 5, 3, 6} && t.shape(0) == 3 && t(2, 1) == 6;
    const std::vector<double> in_rows{1, 2, 3, 4, 5, 6};
    for (const auto &same : {all::transposed_columns(columns{values.data()}),
                             all::transposed_columns(pydd::view<const double, 2>(in_rows.data(), {2, 3}))})
        right = right && same.to_vector() == t.to_vector() && same.shape(0) == 3 && same(2, 1) == 6;
#if defined(__cpp_lib_mdspan)
    const std::mdspan<double, std::dextents<std::size_t, 2>, std::layout_left> span(values.data(), 2, 3);
    const auto u = all::transposed(span);
    right = right && u.to_vector() == t.to_vector();
    const auto back = u.mdspan();
    right = right && back.extent(0) == 3 && back[2, 1] == 6;
#endif
    std::puts(right ? "all right" : "wrong");
}
