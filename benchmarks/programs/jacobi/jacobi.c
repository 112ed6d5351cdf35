#include <stdint.h>

static void sweep(int64_t rows, int64_t columns, const double *restrict u, double *restrict v)
{
    for (int64_t i = 1; i < rows - 1; i++)
        for (int64_t j = 1; j < columns - 1; j++)
            v[i * columns + j] = 0.2 * (u[i * columns + j] + u[i * columns + j - 1] + u[i * columns + j + 1] +
                                        u[(i + 1) * columns + j] + u[(i - 1) * columns + j]);
}

/* u and v start as copies of A and B. */
void jacobi(int64_t steps, int64_t rows, int64_t columns, double *restrict u, double *restrict v)
{
    for (int64_t step = 0; step < steps; step++) {
        sweep(rows, columns, u, v);
        sweep(rows, columns, v, u);
    }
}
