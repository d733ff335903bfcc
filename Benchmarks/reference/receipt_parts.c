#include "CBenchReference.h"

#include <openssl/cms.h>
#include <stdlib.h>
#include <string.h>

static int copy(const ASN1_OCTET_STRING *string, till_reference_bytes *output) {
    if (!string) return 0;
    output->count = (size_t)ASN1_STRING_length(string);
    output->bytes = malloc(output->count);
    if (!output->bytes) return 0;
    memcpy(output->bytes, ASN1_STRING_get0_data(string), output->count);
    return 1;
}

int till_receipt_parts(const unsigned char *receipt, size_t count, till_reference_bytes *content,
                       till_reference_bytes *signature) {
    *content = *signature = (till_reference_bytes){NULL, 0};
    CMS_ContentInfo *container = d2i_CMS_ContentInfo(NULL, &receipt, (long)count);
    if (!container) return 0;
    ASN1_OCTET_STRING **found = CMS_get0_content(container);
    STACK_OF(CMS_SignerInfo) *signers = CMS_get0_SignerInfos(container);
    int result = found && signers && sk_CMS_SignerInfo_num(signers) > 0 && copy(*found, content) &&
                 copy(CMS_SignerInfo_get0_signature(sk_CMS_SignerInfo_value(signers, 0)), signature);
    CMS_ContentInfo_free(container);
    return result;
}
