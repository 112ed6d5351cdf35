#include <math.h>
#include <stdint.h>

void softmax(int64_t rows, int64_t n, const float *restrict x, float *restrict result)
{
    for (int64_t i = 0; i < rows; i++) {
        const float *row = x + i * n;
        float *restrict out = result + i * n;
        float largest = row[0];
        for (int64_t j = 1; j < n; j++)
            largest = row[j] > largest ? row[j] : largest;
        float total = 0.0f;
        for (int64_t j = 0; j < n; j++) {
            float power = expf(row[j] - largest);
            out[j] = power;
            total += power;
        }
        for (int64_t j = 0; j < n; j++)
            out[j] /= total;
    }
}
