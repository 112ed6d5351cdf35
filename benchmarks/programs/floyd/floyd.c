#include <stdint.h>

/* path starts as a copy of the distances. */
void floyd(int64_t n, int64_t *restrict path)
{
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++) {
            int64_t via = path[i * n + k];
            for (int64_t j = 0; j < n; j++) {
                int64_t length = via + path[k * n + j];
                path[i * n + j] = length < path[i * n + j] ? length : path[i * n + j];
            }
        }
}
