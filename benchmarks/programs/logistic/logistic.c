#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* w starts as zeros. */
void fit(int64_t rows, int64_t columns, const double *X, const double *y, double rate, int64_t steps, double *restrict w)
{
    double *restrict gradient = malloc(columns * sizeof *gradient);
    for (int64_t step = 0; step < steps; step++) {
        memset(gradient, 0, columns * sizeof *gradient);
        for (int64_t i = 0; i < rows; i++) {
            double z = 0.0;
            for (int64_t j = 0; j < columns; j++)
                z += X[i * columns + j] * w[j];
            double error = 1.0 / (1.0 + exp(-z)) - y[i];
            for (int64_t j = 0; j < columns; j++)
                gradient[j] += error * X[i * columns + j];
        }
        for (int64_t j = 0; j < columns; j++)
            w[j] -= rate / rows * gradient[j];
    }
    free(gradient);
}

void fit32(int64_t rows, int64_t columns, const float *X, const float *y, double rate, int64_t steps, float *restrict w)
{
    float *restrict gradient = malloc(columns * sizeof *gradient), scale = rate / rows;
    for (int64_t step = 0; step < steps; step++) {
        memset(gradient, 0, columns * sizeof *gradient);
        for (int64_t i = 0; i < rows; i++) {
            float z = 0.0f;
            for (int64_t j = 0; j < columns; j++)
                z += X[i * columns + j] * w[j];
            float error = 1.0f / (1.0f + expf(-z)) - y[i];
            for (int64_t j = 0; j < columns; j++)
                gradient[j] += error * X[i * columns + j];
        }
        for (int64_t j = 0; j < columns; j++)
            w[j] -= scale * gradient[j];
    }
    free(gradient);
}
