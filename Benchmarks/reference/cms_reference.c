#include "CBenchReference.h"

#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <stdlib.h>

struct till_cms_reference {
    X509_STORE *roots;
};

till_cms_reference *till_cms_reference_new(const unsigned char *root, size_t count) {
    till_cms_reference *reference = calloc(1, sizeof *reference);
    if (!reference) return NULL;
    X509 *certificate = d2i_X509(NULL, &root, (long)count);
    reference->roots = X509_STORE_new();
    int ready = certificate && reference->roots && X509_STORE_add_cert(reference->roots, certificate) == 1 &&
                X509_STORE_set_purpose(reference->roots, X509_PURPOSE_ANY) == 1;
    X509_free(certificate);
    if (ready) return reference;
    till_cms_reference_free(reference);
    return NULL;
}

void till_cms_reference_free(till_cms_reference *reference) {
    X509_STORE_free(reference->roots);
    free(reference);
}

int till_cms_reference_verify(till_cms_reference *reference, const unsigned char *receipt, size_t count) {
    BIO *input = BIO_new_mem_buf(receipt, (int)count);
    BIO *output = BIO_new(BIO_s_mem());
    CMS_ContentInfo *container = input ? d2i_CMS_bio(input, NULL) : NULL;
    int valid = container && output &&
                CMS_verify(container, NULL, reference->roots, NULL, output, CMS_BINARY) == 1;
    CMS_ContentInfo_free(container);
    BIO_free(output);
    BIO_free(input);
    return valid;
}
