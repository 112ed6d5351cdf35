#include <math.h>
#include <stdint.h>

void accelerations(int64_t n, const double *x, const double *y, const double *z, const double *mass,
                   double *restrict result)
{
    for (int64_t i = 0; i < n; i++) {
        double ax = 0.0, ay = 0.0, az = 0.0;
        for (int64_t j = 0; j < n; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            double square = dx * dx + dy * dy + dz * dz + 1e-9;
            double pull = mass[j] / (square * sqrt(square));
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        result[3 * i] = ax;
        result[3 * i + 1] = ay;
        result[3 * i + 2] = az;
    }
}
