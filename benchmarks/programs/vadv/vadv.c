#include <stdint.h>

/* Arrays are (rows, columns, levels), wcon has one row more; ccol and dcol have room for a column. */
void vadv(int64_t rows, int64_t columns, int64_t levels, const double *restrict utens_stage,
          const double *restrict u_stage, const double *restrict wcon, const double *restrict u_pos,
          const double *restrict utens, double dtr_stage, double *restrict ccol, double *restrict dcol,
          double *restrict result)
{
    int64_t last = levels - 1;
    for (int64_t at = 0; at < rows * columns; at++) {
        const double *w = wcon + at * levels, *w1 = w + columns * levels, *u = u_stage + at * levels;
        const double *pos = u_pos + at * levels, *ut = utens + at * levels, *us = utens_stage + at * levels;
        double *out = result + at * levels;
        double gcv = 0.25 * (w1[1] + w[1]), c = gcv * 0.5;
        double divided = 1.0 / (dtr_stage - c);
        ccol[0] = c * divided;
        dcol[0] = (dtr_stage * pos[0] + ut[0] + us[0] - gcv * 0.5 * (u[1] - u[0])) * divided;
        for (int64_t k = 1; k < last; k++) {
            double gav = -0.25 * (w1[k] + w[k]), a = gav * 0.5;
            gcv = 0.25 * (w1[k + 1] + w[k + 1]);
            c = gcv * 0.5;
            double correction = -(gav * 0.5) * (u[k - 1] - u[k]) - gcv * 0.5 * (u[k + 1] - u[k]);
            double d = dtr_stage * pos[k] + ut[k] + us[k] + correction;
            divided = 1.0 / (dtr_stage - a - c - ccol[k - 1] * a);
            ccol[k] = c * divided;
            dcol[k] = (d - dcol[k - 1] * a) * divided;
        }
        double gav = -0.25 * (w1[last] + w[last]), a = gav * 0.5;
        double d = dtr_stage * pos[last] + ut[last] + us[last] - gav * 0.5 * (u[last - 1] - u[last]);
        double x = (d - dcol[last - 1] * a) / (dtr_stage - a - ccol[last - 1] * a);
        out[last] = dtr_stage * (x - pos[last]);
        for (int64_t k = last - 1; k >= 0; k--) {
            x = dcol[k] - ccol[k] * x;
            out[k] = dtr_stage * (x - pos[k]);
        }
    }
}
