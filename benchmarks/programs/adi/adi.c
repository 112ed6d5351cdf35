#include <stdint.h>

/* u starts as a copy of the field; v, p and q have room for as many elements. */
void adi(int64_t steps, int64_t n, double *restrict v, double *restrict p, double *restrict q, double *restrict u)
{
    double x = 1.0 / n, t = 1.0 / steps;
    double down = 2.0 * t / (x * x), along = t / (x * x);
    double a = -down / 2.0, b = 1.0 + down, d = -along / 2.0, e = 1.0 + along;
    for (int64_t step = 0; step < steps; step++) {
        for (int64_t i = 1; i < n - 1; i++) {
            v[i] = 1.0;
            p[i * n] = 0.0;
            q[i * n] = v[i];
            for (int64_t j = 1; j < n - 1; j++) {
                p[i * n + j] = -a / (a * p[i * n + j - 1] + b);
                q[i * n + j] = (-d * u[j * n + i - 1] + (1.0 + 2.0 * d) * u[j * n + i] - d * u[j * n + i + 1] -
                                a * q[i * n + j - 1]) /
                               (a * p[i * n + j - 1] + b);
            }
            v[(n - 1) * n + i] = 1.0;
            for (int64_t j = n - 2; j > 0; j--)
                v[j * n + i] = p[i * n + j] * v[(j + 1) * n + i] + q[i * n + j];
        }
        for (int64_t i = 1; i < n - 1; i++) {
            u[i * n] = 1.0;
            p[i * n] = 0.0;
            q[i * n] = u[i * n];
            for (int64_t j = 1; j < n - 1; j++) {
                p[i * n + j] = -d / (d * p[i * n + j - 1] + e);
                q[i * n + j] = (-a * v[(i - 1) * n + j] + (1.0 + 2.0 * a) * v[i * n + j] - a * v[(i + 1) * n + j] -
                                d * q[i * n + j - 1]) /
                               (d * p[i * n + j - 1] + e);
            }
            u[i * n + n - 1] = 1.0;
            for (int64_t j = n - 2; j > 0; j--)
                u[i * n + j] = p[i * n + j] * u[i * n + j + 1] + q[i * n + j];
        }
    }
}
