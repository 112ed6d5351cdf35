/* Calls kernels from C: see ../README.md. */
#include "kernels.h"

#include <stdio.h>

int main(void)
{
    const double rows[2][3] = {{3, 4, 0}, {1, 2, 2}};
    pydd_float64_1d lengths;
    if (kernels_norms(pydd_make_const_float64_2d(&rows[0][0], 2, 3), &lengths) != PYDD_OK) {
        fprintf(stderr, "%s\n", pydd_last_error()->text);
        return 1;
    }
    printf("lengths of rows: %g %g\n", lengths.data[0], lengths.data[1]);

    /* The columns: the same memory with other strides. */
    pydd_const_float64_2d columns = pydd_make_const_float64_2d(&rows[0][0], 3, 2);
    columns.strides[0] = 1;
    columns.strides[1] = 3;
    pydd_release(lengths.owner);
    if (kernels_norms(columns, &lengths) != PYDD_OK) {
        fprintf(stderr, "%s\n", pydd_last_error()->text);
        return 1;
    }
    printf("lengths of columns: %.3f %.3f %.3f\n", lengths.data[0], lengths.data[1], lengths.data[2]);

    /* Results may be arguments. */
    double mean, variance;
    if (kernels_moments(pydd_as_const_float64_1d(lengths), &mean, &variance) != PYDD_OK) {
        fprintf(stderr, "%s\n", pydd_last_error()->text);
        return 1;
    }
    printf("mean %.3f, variance %.3f\n", mean, variance);
    pydd_release(lengths.owner);

    float image[5] = {0, 0, 3, 0, 0};
    if (kernels_blur(pydd_make_float32_2d(image, 1, 5), 1) != PYDD_OK) {
        fprintf(stderr, "%s\n", pydd_last_error()->text);
        return 1;
    }
    printf("blurred: %g %g %g %g %g\n", image[0], image[1], image[2], image[3], image[4]);

    /* An error is a code; what it says has the line of the source. */
    const int64_t places[2] = {1, 7};
    pydd_float64_1d picked;
    int32_t status = kernels_pick(pydd_make_const_float64_1d(rows[0], 3), pydd_make_const_int64_1d(places, 2), &picked);
    if (status == PYDD_INDEX_ERROR) {
        const pydd_error *error = pydd_last_error();
        printf("%s in line %d: %s\n", error->name, (int)error->line, error->message);
    }
    return status == PYDD_INDEX_ERROR ? 0 : 1;
}
