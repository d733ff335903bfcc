/* Lets an app end at any moment.
 *
 * OpenSSL takes itself apart at exit(), while threads of the session may still verify a signature or talk to the store:
 * those then read what was freed, and an app that had done its work ends with a segmentation fault. It leaves that to the
 * system if it is told so before anything else of it is used, which is why this runs when the program starts. */
#include <openssl/crypto.h>

__attribute__((constructor)) static void leave_openssl_whole(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
