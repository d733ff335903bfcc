#ifndef TILL_COPENSSL_H
#define TILL_COPENSSL_H

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// Swift sees neither variadic functions nor function-like macros; each has its one line here.

static inline EVP_PKEY *till_generate_p256(void) { return EVP_EC_gen("P-256"); }
static inline EVP_PKEY *till_generate_rsa(size_t bits) { return EVP_RSA_gen(bits); }
static inline long till_bio_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }
static inline int till_error_library(unsigned long code) { return ERR_GET_LIB(code); }
static inline int till_error_reason(unsigned long code) { return ERR_GET_REASON(code); }

#endif
