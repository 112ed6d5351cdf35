#include <math.h>
#include <stdint.h>
#include <stdlib.h>

void correlations(int64_t count, int64_t length, const double *series, double *restrict result)
{
    double *unit = malloc(count * length * sizeof *unit);
    for (int64_t i = 0; i < count; i++) {
        double sum = 0.0, squares = 0.0;
        for (int64_t t = 0; t < length; t++)
            sum += series[i * length + t];
        double mean = sum / length;
        for (int64_t t = 0; t < length; t++) {
            double step = series[i * length + t] - mean;
            unit[i * length + t] = step;
            squares += step * step;
        }
        double norm = sqrt(squares);
        for (int64_t t = 0; t < length; t++)
            unit[i * length + t] /= norm;
    }
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++) {
            double sum = 0.0;
            for (int64_t t = 0; t < length; t++)
                sum += unit[i * length + t] * unit[j * length + t];
            result[i * count + j] = sum;
        }
    free(unit);
}
