#include <stdint.h>

void escape_times(int64_t width, int64_t height, int64_t limit, int64_t *times)
{
    for (int64_t row = 0; row < height; row++) {
        double ci = 3.0 * row / height - 1.5;
        for (int64_t column = 0; column < width; column++) {
            double cr = 3.0 * column / width - 2.0;
            double zr = 0.0, zi = 0.0;
            int64_t steps = 0;
            while (steps < limit && zr * zr + zi * zi <= 4.0) {
                double next = zr * zr - zi * zi + cr;
                zi = 2.0 * zr * zi + ci;
                zr = next;
                steps++;
            }
            times[row * width + column] = steps;
        }
    }
}
