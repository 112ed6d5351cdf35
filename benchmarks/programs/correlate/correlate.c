#include <math.h>
#include <stdint.h>

void autocorrelation(int64_t n, const double *series, int64_t lags, double *restrict result)
{
    double mean = 0.0;
    for (int64_t t = 0; t < n; t++)
        mean += series[t];
    mean /= n;
    for (int64_t lag = 0; lag < lags; lag++) {
        double total = 0.0;
        for (int64_t t = 0; t < n - lag; t++)
            total += (series[t] - mean) * (series[t + lag] - mean);
        result[lag] = total;
    }
    double scale = result[0];
    for (int64_t lag = 0; lag < lags; lag++)
        result[lag] /= scale;
}

void match(int64_t n, const double *series, int64_t width, const double *pattern, double *restrict result)
{
    double mean = 0.0, square = 0.0;
    for (int64_t k = 0; k < width; k++)
        mean += pattern[k];
    mean /= width;
    for (int64_t k = 0; k < width; k++)
        square += (pattern[k] - mean) * (pattern[k] - mean);
    for (int64_t t = 0; t < n - width + 1; t++) {
        double middle = 0.0, both = 0.0, own = 0.0;
        for (int64_t k = 0; k < width; k++)
            middle += series[t + k];
        middle /= width;
        for (int64_t k = 0; k < width; k++) {
            double step = series[t + k] - middle;
            both += step * (pattern[k] - mean);
            own += step * step;
        }
        result[t] = both / sqrt(own * square);
    }
}
