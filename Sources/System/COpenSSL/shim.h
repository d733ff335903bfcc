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
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
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

static inline int till_print_name(BIO *bio, const X509_NAME *name) {
    return X509_NAME_print_ex(bio, name, 0, XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB & ~XN_FLAG_SPC_EQ);
}
// The first address for online checks that a certificate names, for the caller to free; NULL if it names none.
static inline char *till_ocsp_address(X509 *certificate) {
    STACK_OF(OPENSSL_STRING) *all = X509_get1_ocsp(certificate);
    char *first = sk_OPENSSL_STRING_num(all) > 0 ? OPENSSL_strdup(sk_OPENSSL_STRING_value(all, 0)) : NULL;
    X509_email_free(all);
    return first;
}
// OpenSSL has no other way to date an answer than by the clock of the system. The date belongs to the answer.
static inline int till_ocsp_set_time(OCSP_BASICRESP *answer, time_t seconds) {
    return ASN1_GENERALIZEDTIME_set((ASN1_GENERALIZEDTIME *)OCSP_resp_get0_produced_at(answer), seconds) != NULL;
}
static inline STACK_OF(X509) *till_certificates_new(void) { return sk_X509_new_null(); }
static inline int till_certificates_push(STACK_OF(X509) *stack, X509 *one) { return sk_X509_push(stack, one); }
static inline int till_certificates_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *till_certificates_at(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }
static inline void till_certificates_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }

#endif
