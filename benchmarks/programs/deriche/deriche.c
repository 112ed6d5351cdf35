#include <math.h>
#include <stdint.h>

/* forward and backward have room for the image; the image has two rows at the least. */
void deriche(int64_t w, int64_t h, double alpha, const double *restrict image, double *restrict forward,
             double *restrict backward, double *restrict result)
{
    double power = exp(-alpha), square = exp(-2.0 * alpha);
    double k = (1.0 - power) * (1.0 - power) / (1.0 + 2.0 * alpha * power - square);
    double a1 = k, a2 = k * power * (alpha - 1.0), a3 = k * power * (alpha + 1.0), a4 = -k * square;
    double b1 = pow(2.0, -alpha), b2 = -square;
    for (int64_t i = 0; i < w; i++) {
        double before = 0.0, y1 = 0.0, y2 = 0.0;
        for (int64_t j = 0; j < h; j++) {
            double y = a1 * image[i * h + j] + a2 * before + b1 * y1 + b2 * y2;
            forward[i * h + j] = y;
            before = image[i * h + j];
            y2 = y1;
            y1 = y;
        }
    }
    for (int64_t i = 0; i < w; i++) {
        double x1 = 0.0, x2 = 0.0, y1 = 0.0, y2 = 0.0;
        for (int64_t j = h - 1; j >= 0; j--) {
            double y = a3 * x1 + a4 * x2 + b1 * y1 + b2 * y2;
            result[i * h + j] = forward[i * h + j] + y;
            x2 = x1;
            x1 = image[i * h + j];
            y2 = y1;
            y1 = y;
        }
    }
    for (int64_t j = 0; j < h; j++) {
        forward[j] = a1 * result[j];
        forward[h + j] = a1 * result[h + j] + a2 * result[j] + b1 * forward[j];
    }
    for (int64_t i = 2; i < w; i++)
        for (int64_t j = 0; j < h; j++)
            forward[i * h + j] = a1 * result[i * h + j] + a2 * result[(i - 1) * h + j] +
                                 b1 * forward[(i - 1) * h + j] + b2 * forward[(i - 2) * h + j];
    for (int64_t j = 0; j < h; j++) {
        backward[(w - 1) * h + j] = 0.0;
        backward[(w - 2) * h + j] = a3 * result[(w - 1) * h + j];
    }
    for (int64_t i = w - 3; i >= 0; i--)
        for (int64_t j = 0; j < h; j++)
            backward[i * h + j] = a3 * result[(i + 1) * h + j] + a4 * result[(i + 2) * h + j] +
                                  b1 * backward[(i + 1) * h + j] + b2 * backward[(i + 2) * h + j];
    for (int64_t i = 0; i < w * h; i++)
        result[i] = forward[i] + backward[i];
}
