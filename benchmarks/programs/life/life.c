#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void play(int64_t m, int64_t n, const uint8_t *board, int64_t steps, uint8_t *restrict result)
{
    int64_t w = n + 2;
    uint8_t *now = calloc((m + 2) * w, 1), *new = calloc((m + 2) * w, 1);
    for (int64_t i = 0; i < m; i++)
        memcpy(now + (i + 1) * w + 1, board + i * n, n);
    for (int64_t step = 0; step < steps; step++) {
        for (int64_t i = 1; i <= m; i++) {
            const uint8_t *a = now + (i - 1) * w, *b = now + i * w, *c = now + (i + 1) * w;
            uint8_t *restrict to = new + i * w;
            for (int64_t j = 1; j <= n; j++) {
                uint8_t near = a[j - 1] + a[j] + a[j + 1] + b[j - 1] + b[j + 1] + c[j - 1] + c[j] + c[j + 1];
                to[j] = near == 3 || (near == 2 && b[j] == 1);
            }
        }
        uint8_t *other = now;
        now = new;
        new = other;
    }
    for (int64_t i = 0; i < m; i++)
        memcpy(result + i * n, now + (i + 1) * w + 1, n);
    free(now);
    free(new);
}

void torus(int64_t m, int64_t n, const uint8_t *board, int64_t steps, uint8_t *restrict result)
{
    uint8_t *now = malloc(m * n), *new = malloc(m * n);
    memcpy(now, board, m * n);
    for (int64_t step = 0; step < steps; step++) {
        for (int64_t i = 0; i < m; i++) {
            const uint8_t *a = now + (i + m - 1) % m * n, *b = now + i * n, *c = now + (i + 1) % m * n;
            uint8_t *restrict to = new + i * n;
            for (int64_t j = 0; j < n; j++) {
                int64_t left = j == 0 ? n - 1 : j - 1, right = j == n - 1 ? 0 : j + 1;
                int near = a[left] + a[j] + a[right] + b[left] + b[right] + c[left] + c[j] + c[right];
                to[j] = near == 3 || (near == 2 && b[j]);
            }
        }
        uint8_t *other = now;
        now = new;
        new = other;
    }
    memcpy(result, now, m * n);
    free(now);
    free(new);
}
