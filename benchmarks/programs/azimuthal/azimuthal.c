#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* total starts as zeros. */
void by_pixels(int64_t height, int64_t length, const double *image, double row, double column, int64_t rings, double width,
               double *restrict total)
{
    double *restrict count = calloc(rings, sizeof *count);
    for (int64_t i = 0; i < height; i++)
        for (int64_t j = 0; j < length; j++) {
            double dy = i - row, dx = j - column;
            int64_t ring = sqrt(dx * dx + dy * dy) / width;
            if (ring < rings) {
                total[ring] += image[i * length + j];
                count[ring] += 1.0;
            }
        }
    for (int64_t k = 0; k < rings; k++)
        total[k] /= count[k] > 1.0 ? count[k] : 1.0;
    free(count);
}
