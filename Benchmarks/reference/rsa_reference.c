#include "CBenchReference.h"

#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdlib.h>

struct till_rsa_reference {
    EVP_PKEY *key;
    EVP_PKEY_CTX *verification;
    EVP_MD *sha256;
    EVP_MD_CTX *digest;
};

static int prepare(till_rsa_reference *reference, const unsigned char *public_key, size_t count) {
    reference->key = d2i_PUBKEY(NULL, &public_key, (long)count);
    reference->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    reference->digest = EVP_MD_CTX_new();
    if (!reference->key || !reference->sha256 || !reference->digest) return 0;
    reference->verification = EVP_PKEY_CTX_new(reference->key, NULL);
    return reference->verification && EVP_PKEY_verify_init(reference->verification) == 1 &&
           EVP_PKEY_CTX_set_rsa_padding(reference->verification, RSA_PKCS1_PADDING) == 1 &&
           EVP_PKEY_CTX_set_signature_md(reference->verification, reference->sha256) == 1;
}

till_rsa_reference *till_rsa_reference_new(const unsigned char *public_key, size_t count) {
    till_rsa_reference *reference = calloc(1, sizeof *reference);
    if (!reference || prepare(reference, public_key, count)) return reference;
    till_rsa_reference_free(reference);
    return NULL;
}

void till_rsa_reference_free(till_rsa_reference *reference) {
    EVP_PKEY_CTX_free(reference->verification);
    EVP_MD_CTX_free(reference->digest);
    EVP_MD_free(reference->sha256);
    EVP_PKEY_free(reference->key);
    free(reference);
}

int till_rsa_reference_verify(till_rsa_reference *reference, const unsigned char *content, size_t content_count,
                              const unsigned char *signature, size_t signature_count) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int digest_count = 0;
    return EVP_DigestInit_ex(reference->digest, reference->sha256, NULL) == 1 &&
           EVP_DigestUpdate(reference->digest, content, content_count) == 1 &&
           EVP_DigestFinal_ex(reference->digest, digest, &digest_count) == 1 &&
           EVP_PKEY_verify(reference->verification, signature, signature_count, digest, digest_count) == 1;
}
