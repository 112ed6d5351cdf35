#include <stdint.h>

int64_t crc16(int64_t n, const uint8_t *restrict data)
{
    uint32_t table[256];
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] & 1 ? (table[i] >> 1) ^ 0x8408 : table[i] >> 1;
    }
    uint32_t crc = 0xFFFF;
    for (int64_t i = 0; i < n; i++)
        crc = (crc >> 8) ^ table[(crc ^ data[i]) & 0xFF];
    crc = ~crc & 0xFFFF;
    return ((crc << 8) | (crc >> 8)) & 0xFFFF;
}

int64_t crc16_bits(int64_t n, const uint8_t *restrict data)
{
    uint32_t crc = 0xFFFF;
    for (int64_t i = 0; i < n; i++) {
        uint32_t byte = data[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc ^ byte) & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
            byte >>= 1;
        }
    }
    crc = ~crc & 0xFFFF;
    return ((crc << 8) | (crc >> 8)) & 0xFFFF;
}
