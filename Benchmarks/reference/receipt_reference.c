// For clock_gettime in ISO C.
#define _DEFAULT_SOURCE

#include "CBenchReference.h"

#include <openssl/asn1.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct till_receipt_reference {
    unsigned char *key;
    size_t key_count;
    // The certificates of a receipt that was verified before, one after another: the chain that is remembered.
    unsigned char *chain;
    size_t chain_count;
    char **receipts;
    int receipt_count;
};

// One thread's share of a run.
typedef struct {
    const till_receipt_reference *reference;
    till_rsa_reference *rsa;
    double seconds;
    long long done;
    int failed;
} share;

typedef struct {
    const unsigned char *bytes;
    long count;
} piece;

// What the parts of a receipt are, where they lie: nothing is copied.
typedef struct {
    piece content, certificates, signature;
} parts;

// Steps into the next element, or, without a place to step into, over it; gives its content.
static int next(const unsigned char **bytes, const unsigned char *end, int tag, int class, piece *content) {
    int found_tag, found_class;
    int form = ASN1_get_object(bytes, &content->count, &found_tag, &found_class, end - *bytes);
    content->bytes = *bytes;
    if ((form & 0x80) || (form & 1) || found_tag != tag || found_class != class) return 0;
    *bytes += content->count;
    return 1;
}

static int enter(const unsigned char **bytes, const unsigned char **end, int tag, int class) {
    piece content;
    if (!next(bytes, *end, tag, class, &content)) return 0;
    *bytes = content.bytes;
    *end = content.bytes + content.count;
    return 1;
}

// The elements that a receipt of a store has, in their order; whatever else there may be in PKCS#7, no receipt has it.
static int parse(const unsigned char *bytes, long count, parts *parts) {
    const unsigned char *end = bytes + count;
    piece ignored, info;
    if (!enter(&bytes, &end, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL) ||
        !next(&bytes, end, V_ASN1_OBJECT, V_ASN1_UNIVERSAL, &ignored) ||
        !enter(&bytes, &end, 0, V_ASN1_CONTEXT_SPECIFIC) || !enter(&bytes, &end, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL) ||
        !next(&bytes, end, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, &ignored) ||
        !next(&bytes, end, V_ASN1_SET, V_ASN1_UNIVERSAL, &ignored) ||
        !next(&bytes, end, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL, &info) ||
        !next(&bytes, end, 0, V_ASN1_CONTEXT_SPECIFIC, &parts->certificates) ||
        !enter(&bytes, &end, V_ASN1_SET, V_ASN1_UNIVERSAL) || !enter(&bytes, &end, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL) ||
        !next(&bytes, end, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, &ignored))
        return 0;
    for (int index = 0; index < 3; index++)
        if (!next(&bytes, end, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL, &ignored)) return 0;
    if (!next(&bytes, end, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL, &parts->signature)) return 0;
    bytes = info.bytes;
    end = bytes + info.count;
    return next(&bytes, end, V_ASN1_OBJECT, V_ASN1_UNIVERSAL, &ignored) &&
           enter(&bytes, &end, 0, V_ASN1_CONTEXT_SPECIFIC) &&
           next(&bytes, end, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL, &parts->content);
}

// Decodes Base64 without its padding, as EVP_DecodeBlock cannot tell it from zeros.
static long decode(const char *text, size_t count, unsigned char *output) {
    int bytes = EVP_DecodeBlock(output, (const unsigned char *)text, (int)count);
    for (size_t index = count; bytes > 0 && index > 0 && text[index - 1] == '='; index--) bytes--;
    return bytes;
}

static int verify(share *share, const char *text) {
    const till_receipt_reference *reference = share->reference;
    size_t room = strlen(text);
    unsigned char *bytes = malloc(room);
    parts parts;
    int valid = bytes && parse(bytes, decode(text, room, bytes), &parts) &&
                (size_t)parts.certificates.count == reference->chain_count &&
                !memcmp(parts.certificates.bytes, reference->chain, reference->chain_count) &&
                till_rsa_reference_verify(share->rsa, parts.content.bytes, (size_t)parts.content.count,
                                          parts.signature.bytes, (size_t)parts.signature.count) == 1;
    free(bytes);
    return valid;
}

// Keeps the certificates of a receipt.
static int remember(till_receipt_reference *reference, const char *text) {
    unsigned char *bytes = malloc(strlen(text));
    parts parts;
    if (bytes && parse(bytes, decode(text, strlen(text), bytes), &parts) &&
        (reference->chain = malloc((size_t)parts.certificates.count))) {
        reference->chain_count = (size_t)parts.certificates.count;
        memcpy(reference->chain, parts.certificates.bytes, reference->chain_count);
    }
    free(bytes);
    return reference->chain_count > 0;
}

till_receipt_reference *till_receipt_reference_new(const unsigned char *key, size_t count) {
    till_receipt_reference *reference = calloc(1, sizeof *reference);
    if (!reference) return NULL;
    reference->key = malloc(count);
    reference->key_count = count;
    if (reference->key) memcpy(reference->key, key, count);
    return reference;
}

int till_receipt_reference_add(till_receipt_reference *reference, const char *text) {
    char **receipts = realloc(reference->receipts, (size_t)(reference->receipt_count + 1) * sizeof *receipts);
    if (!receipts) return 0;
    reference->receipts = receipts;
    if (!(receipts[reference->receipt_count] = strdup(text))) return 0;
    return reference->receipt_count++ > 0 || remember(reference, text);
}

void till_receipt_reference_free(till_receipt_reference *reference) {
    for (int index = 0; index < reference->receipt_count; index++) free(reference->receipts[index]);
    free(reference->receipts);
    free(reference->chain);
    free(reference->key);
    free(reference);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *work(void *context) {
    share *share = context;
    double end = now() + share->seconds;
    while (!share->failed && now() < end) {
        const char *text = share->reference->receipts[share->done % share->reference->receipt_count];
        if (verify(share, text)) {
            share->done++;
        } else {
            share->failed = 1;
        }
    }
    return NULL;
}

long long till_receipt_reference_run(const till_receipt_reference *reference, double seconds, int threads) {
    share *shares = calloc((size_t)threads, sizeof *shares);
    pthread_t *running = calloc((size_t)threads, sizeof *running);
    long long done = 0;
    int failed = !shares || !running;
    for (int index = 0; !failed && index < threads; index++) {
        till_rsa_reference *rsa = till_rsa_reference_new(reference->key, reference->key_count);
        shares[index] = (share){reference, rsa, seconds, 0, !rsa};
        if (pthread_create(&running[index], NULL, work, &shares[index])) abort();
    }
    for (int index = 0; !failed && index < threads; index++) {
        pthread_join(running[index], NULL);
        done += shares[index].done;
        failed |= shares[index].failed;
        if (shares[index].rsa) till_rsa_reference_free(shares[index].rsa);
    }
    free(running);
    free(shares);
    return failed ? -1 : done;
}
