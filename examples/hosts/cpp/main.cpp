// Calls kernels from C++: see ../README.md.
#include "kernels.hpp"

#include <cstdio>
#include <vector>

int main()
{
    const std::vector<double> rows{3, 4, 0, 1, 2, 2};
    const pydd::view<const double, 2> matrix(rows.data(), {2, 3});
    auto lengths = kernels::norms(matrix);
    std::printf("lengths of rows: %g %g\n", lengths[0], lengths[1]);

    // The columns: the same memory with other strides.
    lengths = kernels::norms({rows.data(), {3, 2}, {1, 3}});
    std::printf("lengths of columns: %.3f %.3f %.3f\n", lengths[0], lengths[1], lengths[2]);

    // Results may be arguments, and a result of two values is a tuple.
    auto [mean, variance] = kernels::moments(lengths);
    std::printf("mean %.3f, variance %.3f\n", mean, variance);

    // A vector is a view of one axis; `tail` gives a view of the array's memory, which both keep.
    pydd::array<double, 1> last = kernels::tail(lengths, 1);
    lengths = {};
    std::printf("the last one: %.3f\n", last[0]);

    std::vector<float> image{0, 0, 3, 0, 0};
    kernels::blur({image.data(), {1, 5}});
    std::printf("blurred: %g %g %g %g %g\n", image[0], image[1], image[2], image[3], image[4]);

    try {
        kernels::pick(rows, std::vector<std::int64_t>{1, 7});
    } catch (const pydd::error &error) {
        std::printf("%s in line %d: %s\n", error.name().c_str(), error.line(), error.message().c_str());
        return error.kind() == PYDD_INDEX_ERROR ? 0 : 1;
    }
    return 1;
}
