#include <stdint.h>

/* field is (n + 4, m + 4, l), laplacian (n + 2, m + 2, l), flux_x (n + 1, m, l), flux_y (n, m + 1, l). */
void hdiff(int64_t n, int64_t m, int64_t l, const double *restrict field, const double *restrict coeff,
           double *restrict laplacian, double *restrict flux_x, double *restrict flux_y, double *restrict result)
{
    int64_t width = (m + 4) * l, inner = (m + 2) * l, flux = (m + 1) * l;
    for (int64_t i = 0; i < n + 2; i++) {
        const double *at = field + (i + 1) * width + l;
        for (int64_t j = 0; j < inner; j++)
            laplacian[i * inner + j] = 4.0 * at[j] - (at[j + width] + at[j - width] + at[j + l] + at[j - l]);
    }
    for (int64_t i = 0; i < n + 1; i++) {
        const double *at = field + (i + 1) * width + 2 * l, *own = laplacian + i * inner + l;
        for (int64_t j = 0; j < m * l; j++) {
            double change = own[j + inner] - own[j];
            flux_x[i * m * l + j] = change * (at[j + width] - at[j]) > 0 ? 0.0 : change;
        }
    }
    for (int64_t i = 0; i < n; i++) {
        const double *at = field + (i + 2) * width + l, *own = laplacian + (i + 1) * inner;
        for (int64_t j = 0; j < flux; j++) {
            double change = own[j + l] - own[j];
            flux_y[i * flux + j] = change * (at[j + l] - at[j]) > 0 ? 0.0 : change;
        }
    }
    for (int64_t i = 0; i < n; i++) {
        const double *at = field + (i + 2) * width + 2 * l;
        const double *x = flux_x + i * m * l, *y = flux_y + i * flux;
        for (int64_t j = 0; j < m * l; j++)
            result[i * m * l + j] = at[j] - coeff[i * m * l + j] * (x[j + m * l] - x[j] + y[j + l] - y[j]);
    }
}
