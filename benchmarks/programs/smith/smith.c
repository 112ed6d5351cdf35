#include <stdint.h>
#include <stdlib.h>

int64_t local_score(int64_t m, const uint8_t *a, int64_t n, const uint8_t *b, int64_t match, int64_t other, int64_t gap)
{
    int64_t *row = calloc(n + 1, sizeof *row), best = 0;
    for (int64_t i = 0; i < m; i++) {
        int64_t corner = 0;
        for (int64_t j = 0; j < n; j++) {
            int64_t score = corner + (a[i] == b[j] ? match : other);
            corner = row[j + 1];
            score = score > 0 ? score : 0;
            score = score > corner + gap ? score : corner + gap;
            score = score > row[j] + gap ? score : row[j] + gap;
            row[j + 1] = score;
            best = best > score ? best : score;
        }
    }
    free(row);
    return best;
}

int64_t edits(int64_t m, const uint8_t *a, int64_t n, const uint8_t *b)
{
    int64_t *row = malloc((n + 1) * sizeof *row);
    for (int64_t j = 0; j <= n; j++)
        row[j] = j;
    for (int64_t i = 0; i < m; i++) {
        int64_t corner = row[0];
        row[0] = i + 1;
        for (int64_t j = 0; j < n; j++) {
            int64_t above = row[j + 1], least = (above < row[j] ? above : row[j]) + 1, same = corner + (a[i] != b[j]);
            row[j + 1] = same < least ? same : least;
            corner = above;
        }
    }
    int64_t found = row[n];
    free(row);
    return found;
}
