#include <math.h>
#include <stdint.h>

/* mean, deviation and result start as zeros; data has room for the samples. */
void correlation(int64_t n, int64_t m, const double *restrict samples, double *restrict data, double *restrict mean,
                 double *restrict deviation, double *restrict result)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            mean[j] += samples[i * m + j];
    for (int64_t j = 0; j < m; j++)
        mean[j] /= n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            double step = samples[i * m + j] - mean[j];
            deviation[j] += step * step;
        }
    for (int64_t j = 0; j < m; j++) {
        deviation[j] = sqrt(deviation[j] / n);
        if (deviation[j] <= 0.1)
            deviation[j] = 1.0;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            data[i * m + j] = (samples[i * m + j] - mean[j]) / (sqrt(n) * deviation[j]);
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = i + 1; j < m; j++)
                result[i * m + j] += data[k * m + i] * data[k * m + j];
    for (int64_t i = 0; i < m; i++) {
        result[i * m + i] = 1.0;
        for (int64_t j = i + 1; j < m; j++)
            result[j * m + i] = result[i * m + j];
    }
}
