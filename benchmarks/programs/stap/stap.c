#include <complex.h>
#include <stdint.h>

void beams(int64_t pulses, int64_t channels, int64_t ranges, int64_t beams, const double complex *data,
           const double *window, const double complex *weights, double complex *restrict result)
{
    for (int64_t p = 0; p < pulses; p++)
        for (int64_t b = 0; b < beams; b++) {
            double complex *out = result + (p * beams + b) * ranges;
            for (int64_t r = 0; r < ranges; r++)
                out[r] = 0.0;
            for (int64_t c = 0; c < channels; c++) {
                double complex weight = conj(weights[b * channels + c]);
                const double complex *in = data + (p * channels + c) * ranges;
                for (int64_t r = 0; r < ranges; r++)
                    out[r] += weight * (in[r] * window[p]);
            }
        }
}
