#include <stdint.h>

void conv(int64_t n, int64_t rows, int64_t columns, int64_t channels, int64_t k, int64_t filters,
          const float *restrict images, const float *restrict weights, const float *restrict bias,
          float *restrict result)
{
    int64_t height = rows - k + 1, width = columns - k + 1;
    for (int64_t image = 0; image < n; image++)
        for (int64_t i = 0; i < height; i++)
            for (int64_t j = 0; j < width; j++) {
                float *restrict out = result + ((image * height + i) * width + j) * filters;
                for (int64_t f = 0; f < filters; f++)
                    out[f] = bias[f];
                for (int64_t di = 0; di < k; di++)
                    for (int64_t dj = 0; dj < k; dj++)
                        for (int64_t c = 0; c < channels; c++) {
                            float x = images[((image * rows + i + di) * columns + j + dj) * channels + c];
                            const float *weight = weights + ((di * k + dj) * channels + c) * filters;
                            for (int64_t f = 0; f < filters; f++)
                                out[f] += x * weight[f];
                        }
            }
}
