/* Go 1.26 takes random bytes from ProcessPrng of bcryptprimitives.dll, which Wine 8 does not have. */
#include <stddef.h>

extern unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, size_t length) {
    return SystemFunction036(buffer, (unsigned long)length);
}
