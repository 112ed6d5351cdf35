// Kernels of pydd in C++17: arrays and errors of the headers that `pyddc --host cpp` makes.
//
// `pydd::view<T, Rank>` is an array of the caller's, with any strides (in elements); it is made of a pointer and a shape, of a vector and the like, or
// of a `std::mdspan`. `pydd::array<T, Rank>` is a view that owns its memory: what kernels return. Errors are thrown as `pydd::error`.
#ifndef PYDD_HPP
#define PYDD_HPP

#include "pydd.h"

#include <array>
#include <cassert>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

namespace pydd {

// An exception that a kernel raised. `what()` is all of it in a line, with the file and the line of the source.
class error : public std::runtime_error {
public:
    explicit error(const pydd_error &e)
        : std::runtime_error(e.text), kind_(e.kind), line_(e.line), column_(e.column), name_(e.name), message_(e.message),
          file_(e.file), function_(e.function)
    {
    }

    // One of `pydd_kind`.
    std::int32_t kind() const noexcept { return kind_; }
    // The exception class, "IndexError".
    const std::string &name() const noexcept { return name_; }
    const std::string &message() const noexcept { return message_; }
    // Where in the source; empty and 0 where the error is not in a line of it.
    const std::string &file() const noexcept { return file_; }
    std::int32_t line() const noexcept { return line_; }
    std::int32_t column() const noexcept { return column_; }
    const std::string &function() const noexcept { return function_; }

private:
    std::int32_t kind_, line_, column_;
    std::string name_, message_, file_, function_;
};

template <class T, std::size_t Rank> class view;
template <class T, std::size_t Rank> class array;

namespace detail {

template <class T> using bare = std::remove_cv_t<std::remove_reference_t<T>>;

template <class T> struct is_view : std::false_type {};
template <class T, std::size_t Rank> struct is_view<view<T, Rank>> : std::true_type {};
template <class T, std::size_t Rank> struct is_view<array<T, Rank>> : std::true_type {};

// Whether a pointer of one type may be used as one of the other, which adds no more than `const`.
template <class From, class To> using same_elements = std::is_convertible<From (*)[], To (*)[]>;

// Vectors, arrays, spans: elements one behind the other.
template <class C, class T, class = void> struct is_sequence : std::false_type {};
template <class C, class T>
struct is_sequence<C, T, std::void_t<decltype(std::declval<C &>().data()), decltype(std::declval<C &>().size())>>
    : std::bool_constant<!is_view<bare<C>>::value &&
                         same_elements<std::remove_pointer_t<decltype(std::declval<C &>().data())>, T>::value> {};

// `std::mdspan`, and what has its interface.
template <class M, class T, std::size_t Rank, class = void> struct is_mdspan : std::false_type {};
template <class M, class T, std::size_t Rank>
struct is_mdspan<M, T, Rank,
                 std::void_t<decltype(std::declval<const M &>().data_handle()), decltype(std::declval<const M &>().extent(0)),
                             decltype(M::rank())>>
    : std::bool_constant<std::is_pointer_v<bare<decltype(std::declval<const M &>().data_handle())>> && M::rank() == Rank &&
                         same_elements<std::remove_pointer_t<bare<decltype(std::declval<const M &>().data_handle())>>, T>::value> {
};

} // namespace detail

// Elements that someone else owns. `view<const T, Rank>` is what a kernel reads, `view<T, Rank>` what it may write to.
template <class T, std::size_t Rank> class view {
public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using extents_type = std::array<std::int64_t, Rank>;

    static constexpr std::size_t rank() noexcept { return Rank; }

    // No elements (of rank 0: none to point to).
    view() noexcept = default;

    // Elements in rows, one behind the other.
    view(T *data, const extents_type &shape) noexcept : data_(data), shape_(shape)
    {
        pydd_row_major(static_cast<int>(Rank), shape_.data(), strides_.data());
    }

    // Elements at any distances, which count elements and may be negative or 0.
    view(T *data, const extents_type &shape, const extents_type &strides) noexcept
        : data_(data), shape_(shape), strides_(strides)
    {
    }

    // What may be written to may be read.
    template <class U, class = std::enable_if_t<!std::is_same_v<U, T> && detail::same_elements<U, T>::value>>
    view(const view<U, Rank> &other) noexcept
        : data_(other.data()), shape_(other.shape()), strides_(other.strides()), owner_(other.owner())
    {
    }

    // A vector, `std::array`, span or the like, as a view of one axis.
    template <class C, class = std::enable_if_t<Rank == 1 && detail::is_sequence<C, T>::value>, class = void>
    view(C &&elements) noexcept : view(elements.data(), {static_cast<std::int64_t>(elements.size())})
    {
    }

    // A `std::mdspan`, of any layout that has strides.
    template <class M, class = std::enable_if_t<detail::is_mdspan<M, T, Rank>::value>, class = void, class = void>
    view(const M &span) noexcept : data_(span.data_handle())
    {
        if constexpr (Rank > 0) {
            for (std::size_t axis = 0; axis < Rank; axis++) {
                using index = decltype(span.stride(axis));
                shape_[axis] = static_cast<std::int64_t>(span.extent(axis));
                strides_[axis] = static_cast<std::int64_t>(static_cast<std::make_signed_t<index>>(span.stride(axis)));
            }
        }
    }

    T *data() const noexcept { return data_; }
    const extents_type &shape() const noexcept { return shape_; }
    const extents_type &strides() const noexcept { return strides_; }
    std::int64_t shape(std::size_t axis) const noexcept { return shape_[axis]; }
    std::int64_t stride(std::size_t axis) const noexcept { return strides_[axis]; }
    // What keeps the memory alive, if a kernel made it: results that are views of it have a count of their own.
    void *owner() const noexcept { return owner_; }

    // How many elements there are.
    std::int64_t size() const noexcept
    {
        std::int64_t all = 1;
        for (std::int64_t n : shape_) {
            all *= n;
        }
        return all;
    }

    bool empty() const noexcept { return size() == 0; }

    // Whether the elements lie in rows, one behind the other.
    bool is_row_major() const noexcept
    {
        std::int64_t step = 1;
        for (std::size_t axis = Rank; axis-- > 0;) {
            if (shape_[axis] > 1 && strides_[axis] != step) {
                return empty();
            }
            step *= shape_[axis];
        }
        return true;
    }

    // The element at these indices, which only `assert` checks.
    template <class... I> T &operator()(I... indices) const noexcept
    {
        static_assert(sizeof...(I) == Rank, "as many indices as axes");
        const extents_type at{static_cast<std::int64_t>(indices)...};
        std::ptrdiff_t offset = 0;
        for (std::size_t axis = 0; axis < Rank; axis++) {
            assert(at[axis] >= 0 && at[axis] < shape_[axis]);
            offset += static_cast<std::ptrdiff_t>(at[axis] * strides_[axis]);
        }
        return data_[offset];
    }

    template <class I> T &operator[](I index) const noexcept
    {
        static_assert(Rank == 1, "(i, j) for more axes than one");
        return (*this)(index);
    }

    // A copy of the elements, row by row.
    std::vector<value_type> to_vector() const
    {
        std::vector<value_type> out;
        out.reserve(static_cast<std::size_t>(size()));
        if (!empty()) {
            append<0>(out, data_);
        }
        return out;
    }

#if defined(__cpp_lib_mdspan)
    using mdspan_type = std::mdspan<T, std::dextents<std::int64_t, Rank>, std::layout_stride>;

    // The same elements as a `std::mdspan`, which has no negative strides.
    mdspan_type mdspan() const
    {
        using mapping = typename mdspan_type::mapping_type;
        return mdspan_type(data_, mapping(std::dextents<std::int64_t, Rank>(shape_), strides_));
    }
#endif

protected:
    template <std::size_t Axis> void append(std::vector<value_type> &out, const T *from) const
    {
        if constexpr (Axis == Rank) {
            out.push_back(*from);
        } else {
            for (std::int64_t i = 0; i < shape_[Axis]; i++) {
                append<Axis + 1>(out, from + i * strides_[Axis]);
            }
        }
    }

    T *data_ = nullptr;
    extents_type shape_{};
    extents_type strides_{};
    void *owner_ = nullptr;
};

// A view that keeps its memory: what kernels return. It is moved, not copied; `share()` is a second one of the same elements.
//
// A kernel that returns its argument, or a part of it, gives a view of the caller's memory: then it lives as long as that, unless the argument
// was such an array itself, whose memory both keep.
template <class T, std::size_t Rank> class array : public view<T, Rank> {
public:
    array() noexcept = default;
    array(const array &) = delete;
    array &operator=(const array &) = delete;

    array(array &&other) noexcept : view<T, Rank>(other) { other.forget(); }

    array &operator=(array &&other) noexcept
    {
        if (this != &other) {
            pydd_release(this->owner_);
            static_cast<view<T, Rank> &>(*this) = other;
            other.forget();
        }
        return *this;
    }

    ~array() { pydd_release(this->owner_); }

    array share() const noexcept
    {
        pydd_retain(this->owner_);
        array other;
        static_cast<view<T, Rank> &>(other) = *this;
        return other;
    }

    // Of the words of a result, whose count it takes over.
    explicit array(const std::uint64_t *words) noexcept
    {
        this->data_ = reinterpret_cast<T *>(static_cast<std::uintptr_t>(words[0]));
        this->owner_ = reinterpret_cast<void *>(static_cast<std::uintptr_t>(words[1]));
        pydd_take_axes(words, static_cast<int>(Rank), this->shape_.data(), this->strides_.data());
    }

private:
    void forget() noexcept { static_cast<view<T, Rank> &>(*this) = view<T, Rank>(); }
};

// A sparse matrix in compressed rows, as kernels take it: `indptr` has a place for each row and one more.
template <class T, class Index> struct csr_view {
    view<const Index, 1> indptr, indices;
    view<T, 1> data;
    std::int64_t rows = 0, columns = 0;
};

// A sparse matrix as kernels return it: in compressed rows (of `csc`, columns).
template <class T, class Index> struct csr {
    array<Index, 1> indptr, indices;
    array<T, 1> data;
    std::int64_t rows = 0, columns = 0;

    operator csr_view<T, Index>() const noexcept { return {indptr, indices, data, rows, columns}; }
    operator csr_view<const T, Index>() const noexcept { return {indptr, indices, data, rows, columns}; }
};

template <class T, class Index> struct csc {
    array<Index, 1> indptr, indices;
    array<T, 1> data;
    std::int64_t rows = 0, columns = 0;
};

namespace detail {

// How a value becomes words and words a value: `count` of them.
template <class T, class = void> struct words;

template <class T> struct words<T, std::enable_if_t<std::is_integral_v<T>>> {
    static constexpr std::size_t count = 1;
    static void put(std::uint64_t *to, T value) noexcept { *to = static_cast<std::uint64_t>(value); }
    static T take(const std::uint64_t *from) noexcept { return static_cast<T>(*from); }
};

template <> struct words<bool> {
    static constexpr std::size_t count = 1;
    static void put(std::uint64_t *to, bool value) noexcept { *to = value ? 1 : 0; }
    static bool take(const std::uint64_t *from) noexcept { return (*from & 1) != 0; }
};

template <> struct words<float> {
    static constexpr std::size_t count = 1;
    static void put(std::uint64_t *to, float value) noexcept { *to = pydd_word_of_float(value); }
    static float take(const std::uint64_t *from) noexcept { return pydd_float_of_word(*from); }
};

template <> struct words<double> {
    static constexpr std::size_t count = 1;
    static void put(std::uint64_t *to, double value) noexcept { *to = pydd_word_of_double(value); }
    static double take(const std::uint64_t *from) noexcept { return pydd_double_of_word(*from); }
};

template <class F> struct words<std::complex<F>> {
    static constexpr std::size_t count = 2;
    static void put(std::uint64_t *to, std::complex<F> value) noexcept
    {
        words<F>::put(to, value.real());
        words<F>::put(to + 1, value.imag());
    }
    static std::complex<F> take(const std::uint64_t *from) noexcept
    {
        return {words<F>::take(from), words<F>::take(from + 1)};
    }
};

template <class T, std::size_t Rank> struct words<view<T, Rank>> {
    static constexpr std::size_t count = 2 + 2 * Rank;
    static void put(std::uint64_t *to, const view<T, Rank> &value) noexcept
    {
        pydd_put_array(to, value.data(), value.owner(), static_cast<int>(Rank), value.shape().data(), value.strides().data());
    }
};

template <class T, std::size_t Rank> struct words<array<T, Rank>> {
    static constexpr std::size_t count = 2 + 2 * Rank;
    static array<T, Rank> take(const std::uint64_t *from) noexcept { return array<T, Rank>(from); }
};

// Numbers of one type after the other.
template <class... T> constexpr std::size_t total = (words<T>::count + ... + 0);

template <class... T, std::size_t... I>
void put_all(std::uint64_t *to, const std::tuple<const T &...> &values, std::index_sequence<I...>) noexcept
{
    (void)to;
    (void)values;
    ((words<T>::put(to, std::get<I>(values)), to += words<T>::count), ...);
}

template <class T> T take_next(const std::uint64_t *&from) noexcept
{
    const std::uint64_t *at = from;
    from += words<T>::count;
    return words<T>::take(at);
}

template <class... T> struct words<std::tuple<T...>> {
    static constexpr std::size_t count = total<T...>;
    static void put(std::uint64_t *to, const std::tuple<T...> &value) noexcept
    {
        std::apply([to](const T &...items) { put_all<T...>(to, std::tie(items...), std::index_sequence_for<T...>()); }, value);
    }
    static std::tuple<T...> take(const std::uint64_t *from) noexcept
    {
        // Braces go from left to right.
        return std::tuple<T...>{take_next<T>(from)...};
    }
};

template <class T> struct words<std::optional<T>> {
    static constexpr std::size_t count = 1 + words<T>::count;
    static std::optional<T> take(const std::uint64_t *from) noexcept
    {
        return *from == 0 ? std::optional<T>() : std::optional<T>(words<T>::take(from + 1));
    }
};

template <class T, class Index> struct words<csr_view<T, Index>> {
    using parts = std::tuple<view<const Index, 1>, view<const Index, 1>, view<T, 1>, std::int64_t, std::int64_t>;
    static constexpr std::size_t count = words<parts>::count;
    static void put(std::uint64_t *to, const csr_view<T, Index> &m) noexcept
    {
        words<parts>::put(to, parts(m.indptr, m.indices, m.data, m.rows, m.columns));
    }
};

template <class M, class T, class Index> struct sparse_words {
    static constexpr std::size_t count = 3 * words<array<T, 1>>::count + 2;
    static M take(const std::uint64_t *from) noexcept
    {
        return M{take_next<array<Index, 1>>(from), take_next<array<Index, 1>>(from), take_next<array<T, 1>>(from),
                 take_next<std::int64_t>(from), take_next<std::int64_t>(from)};
    }
};
template <class T, class Index> struct words<csr<T, Index>> : sparse_words<csr<T, Index>, T, Index> {};
template <class T, class Index> struct words<csc<T, Index>> : sparse_words<csc<T, Index>, T, Index> {};

// Calls a function of a module: the place of the function in it, and its arguments as they are typed there.
template <class R, class... A> R call(const pydd_module *module, std::uint32_t function, const A &...arguments)
{
    std::uint64_t args[total<A...> + 1];
    put_all<A...>(args, std::tie(arguments...), std::index_sequence_for<A...>());
    if constexpr (std::is_void_v<R>) {
        std::uint64_t none = 0;
        if (pydd_call(module, function, args, &none) != PYDD_OK) {
            throw error(*pydd_last_error());
        }
    } else {
        std::uint64_t results[words<R>::count + 1];
        if (pydd_call(module, function, args, results) != PYDD_OK) {
            throw error(*pydd_last_error());
        }
        return words<R>::take(results);
    }
}

} // namespace detail
} // namespace pydd

#endif
