#include <stdint.h>
#include <stdlib.h>

int64_t triangles_by_rows(int64_t vertices, const int32_t *begin, const int32_t *neighbours)
{
    int64_t *seen_from = malloc(vertices * sizeof *seen_from);
    int64_t count = 0;
    for (int64_t i = 0; i < vertices; i++)
        seen_from[i] = -1;
    for (int64_t i = 0; i < vertices; i++) {
        for (int32_t k = begin[i]; k < begin[i + 1]; k++)
            seen_from[neighbours[k]] = i;
        for (int32_t k = begin[i]; k < begin[i + 1]; k++) {
            int32_t j = neighbours[k];
            if (j > i)
                for (int32_t l = begin[j]; l < begin[j + 1]; l++)
                    if (neighbours[l] > j && seen_from[neighbours[l]] == i)
                        count++;
        }
    }
    free(seen_from);
    return count;
}
