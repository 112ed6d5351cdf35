/* Calls what `all.pydd` has, and compares; the first thing that is wrong ends it. */
#include "all.h"
#include "other.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(what)                                                                                                             \
    do {                                                                                                                        \
        if (!(what)) {                                                                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, #what);                                                                  \
            exit(1);                                                                                                            \
        }                                                                                                                       \
    } while (0)

static void numbers(void)
{
    const bool yes[] = {true};
    bool b;
    CHECK(all_b1(true, pydd_make_const_bool_1d(yes, 1), &b) == PYDD_OK && b);
    CHECK(all_b1(false, pydd_make_const_bool_1d(yes, 1), &b) == PYDD_OK && !b);
    const int8_t i1[] = {-100};
    int8_t small;
    CHECK(all_i1(-29, pydd_make_const_int8_1d(i1, 1), &small) == PYDD_OK && small == 127);
    const int64_t i8[] = {INT64_MIN};
    int64_t large;
    CHECK(all_i8(-1, pydd_make_const_int64_1d(i8, 1), &large) == PYDD_OK && large == INT64_MAX);
    const uint8_t u1[] = {100};
    uint8_t byte;
    CHECK(all_u1(200, pydd_make_const_uint8_1d(u1, 1), &byte) == PYDD_OK && byte == 44);
    const float f4[] = {0.25f};
    float f;
    CHECK(all_f4(0.5f, pydd_make_const_float32_1d(f4, 1), &f) == PYDD_OK && f == 0.75f);
    pydd_complex64 c8[1], c;
    ((float *)c8)[0] = 3, ((float *)c8)[1] = 4;
    CHECK(all_c8(c8[0], pydd_make_const_complex64_1d(c8, 1), &c) == PYDD_OK);
    CHECK(((float *)&c)[0] == -7 && ((float *)&c)[1] == 24);
    pydd_complex128 c16[1], d;
    ((double *)c16)[0] = 3, ((double *)c16)[1] = 4;
    CHECK(all_c16(c16[0], pydd_make_const_complex128_1d(c16, 1), &d) == PYDD_OK);
    CHECK(((double *)&d)[0] == -7 && ((double *)&d)[1] == 24);
    double e;
    CHECK(all_delete(3, 1, &e) == PYDD_OK && e == 2);
    CHECK(all_nothing() == PYDD_OK);
}

static void results(void)
{
    double memory[6] = {1, 2, 3, 4, 5, 6};
    pydd_float64_2d t;
    CHECK(all_transposed(pydd_make_const_float64_2d(memory, 2, 3), &t) == PYDD_OK);
    CHECK(t.data == memory && t.owner == NULL && t.shape[0] == 3 && t.strides[0] == 1 && t.strides[1] == 3);
    pydd_release(t.owner);

    pydd_float64_1d doubled, again;
    pydd_bool_1d positive;
    int64_t count;
    CHECK(all_split(pydd_make_const_float64_1d(memory, 6), &doubled, &count, &positive) == PYDD_OK);
    CHECK(count == 6 && doubled.data[5] == 12 && positive.data[0]);
    pydd_release(positive.owner);
    CHECK(all_same(pydd_as_const_float64_1d(doubled), &again) == PYDD_OK);
    pydd_release(doubled.owner);
    CHECK(again.data[5] == 12);
    pydd_release(again.owner);

    pydd_int64_1d squares;
    CHECK(all_squares(4, &squares) == PYDD_OK && squares.shape[0] == 4 && squares.data[3] == 9);
    pydd_release(squares.owner);

    bool has;
    pydd_float64_1d above;
    CHECK(all_rows_above(pydd_make_const_float64_1d(memory, 0), 0, &has, &above) == PYDD_OK && !has && above.owner == NULL);
    CHECK(all_rows_above(pydd_make_const_float64_1d(memory, 6), 4, &has, &above) == PYDD_OK && has && above.data[1] == 6);
    pydd_release(above.owner);
    double dot;
    CHECK(all_dots(1, 2, 3, 4, &dot) == PYDD_OK && dot == 11);
}

static void sparse(void)
{
    const int32_t indptr[] = {0, 2, 3}, indices[] = {0, 2, 1};
    const double data[] = {1, 2, 3}, x[] = {1, 10, 100};
    const pydd_const_csr_float64_int32 m = {pydd_make_const_int32_1d(indptr, 3), pydd_make_const_int32_1d(indices, 3),
                                            pydd_make_const_float64_1d(data, 3), 2, 3};
    pydd_float64_1d y;
    CHECK(all_times_float64_int32(m, pydd_make_const_float64_1d(x, 3), &y) == PYDD_OK && y.data[0] == 201 && y.data[1] == 30);
    pydd_release(y.owner);
    pydd_csr_float64_int32 two;
    CHECK(all_twice_float64_int32(m, &two) == PYDD_OK && two.rows == 2 && two.columns == 3 && two.data.data[2] == 6);
    pydd_release(two.indptr.owner);
    pydd_release(two.indices.owner);
    pydd_release(two.data.owner);
}

static void errors(void)
{
    const double xs[] = {1, 2, 3};
    double x = 5;
    CHECK(all_at(pydd_make_const_float64_1d(xs, 3), 3, &x) == PYDD_INDEX_ERROR && x == 5);
    const pydd_error *error = pydd_last_error();
    CHECK(error->kind == PYDD_INDEX_ERROR && error->line > 0 && strcmp(error->name, "IndexError") == 0);
    CHECK(strstr(error->text, "index 3 is out of bounds for axis 0 with size 3, in at()") != NULL);
    CHECK(all_at(pydd_make_const_float64_1d(NULL, 3), 0, &x) == PYDD_VALUE_ERROR);
    CHECK(all_withdraw(1, 2.5, &x) == PYDD_OWN_EXCEPTION && strcmp(pydd_last_error()->name, "Overdrawn") == 0);
}

int main(void)
{
    CHECK(pydd_last_error() == NULL);
    numbers();
    results();
    sparse();
    errors();
    /* A second module, whose functions have the names of the first one's. */
    const double xs[] = {1, 2, 3};
    double x;
    CHECK(other_at(pydd_make_const_float64_1d(xs, 3), 0, &x) == PYDD_OK && x == -1);
    printf("all right\n");
    return 0;
}
