#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static double shrunk(double z, double t)
{
    double up = z - t, down = -z - t;
    return (up > 0.0 ? up : 0.0) - (down > 0.0 ? down : 0.0);
}

void lasso(int64_t rows, int64_t columns, const int32_t *begin, const int32_t *column, const double *value,
           const double *b, double penalty, double step, int64_t steps, double *restrict x)
{
    double *restrict gradient = malloc(columns * sizeof *gradient);
    memset(x, 0, columns * sizeof *x);
    for (int64_t n = 0; n < steps; n++) {
        memset(gradient, 0, columns * sizeof *gradient);
        for (int64_t i = 0; i < rows; i++) {
            double residual = -b[i];
            for (int32_t k = begin[i]; k < begin[i + 1]; k++)
                residual += value[k] * x[column[k]];
            for (int32_t k = begin[i]; k < begin[i + 1]; k++)
                gradient[column[k]] += value[k] * residual;
        }
        for (int64_t j = 0; j < columns; j++)
            x[j] = shrunk(x[j] - step * gradient[j], step * penalty);
    }
    free(gradient);
}

void lasso_dense(int64_t rows, int64_t columns, const double *A, const double *b, double penalty, double step,
                 int64_t steps, double *restrict x)
{
    double *restrict gradient = malloc(columns * sizeof *gradient), *restrict y = malloc(columns * sizeof *y);
    double t = 1.0;
    memset(x, 0, columns * sizeof *x);
    memset(y, 0, columns * sizeof *y);
    for (int64_t n = 0; n < steps; n++) {
        memset(gradient, 0, columns * sizeof *gradient);
        for (int64_t i = 0; i < rows; i++) {
            const double *row = A + i * columns;
            double residual = -b[i];
            for (int64_t j = 0; j < columns; j++)
                residual += row[j] * y[j];
            for (int64_t j = 0; j < columns; j++)
                gradient[j] += row[j] * residual;
        }
        double t_new = (1.0 + sqrt(1.0 + 4.0 * t * t)) / 2.0;
        for (int64_t j = 0; j < columns; j++) {
            double new = shrunk(y[j] - step * gradient[j], step * penalty);
            y[j] = new + (t - 1.0) / t_new * (new - x[j]);
            x[j] = new;
        }
        t = t_new;
    }
    free(gradient);
    free(y);
}

void local_pagerank(int64_t n, int64_t s, const int32_t *begin, const int32_t *column, const int64_t *seeds,
                    double alpha, double rho, int64_t steps, double *restrict q)
{
    double *restrict root = malloc(n * sizeof *root), *restrict old = malloc(n * s * sizeof *old);
    double *restrict start = calloc(n * s, sizeof *start), *restrict total = malloc(s * sizeof *total);
    for (int64_t i = 0; i < n; i++)
        root[i] = sqrt(begin[i + 1] > begin[i] ? begin[i + 1] - begin[i] : 1);
    for (int64_t k = 0; k < s; k++)
        start[seeds[k] * s + k] = alpha / root[seeds[k]];
    memset(q, 0, n * s * sizeof *q);
    for (int64_t step = 0; step < steps; step++) {
        for (int64_t i = 0; i < n; i++)
            for (int64_t c = 0; c < s; c++)
                old[i * s + c] = q[i * s + c] / root[i];
        for (int64_t i = 0; i < n; i++) {
            memset(total, 0, s * sizeof *total);
            for (int32_t k = begin[i]; k < begin[i + 1]; k++)
                for (int64_t c = 0; c < s; c++)
                    total[c] += old[column[k] * s + c];
            for (int64_t c = 0; c < s; c++) {
                double z = (1.0 - alpha) / 2.0 * (q[i * s + c] + total[c] / root[i]) + start[i * s + c];
                z -= rho * alpha * root[i];
                q[i * s + c] = z > 0.0 ? z : 0.0;
            }
        }
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < s; c++)
            q[i * s + c] *= root[i];
    free(root);
    free(old);
    free(start);
    free(total);
}
