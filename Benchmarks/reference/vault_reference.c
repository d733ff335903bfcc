#include "CBenchReference.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_BYTES = 32, NONCE_BYTES = 12, TAG_BYTES = 16, CONTEXT_BYTES = 32, HEADER_HEAD = 8, ENTRY_HEAD = 12 };

static unsigned char *read_file(const char *path, long *count) {
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0 && (*count = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
        (bytes = malloc((size_t)*count + 1))) {
        if (fread(bytes, 1, (size_t)*count, file) != (size_t)*count) *count = 0;
        bytes[*count] = 0;
    }
    if (file) fclose(file);
    return bytes;
}

// The third word of the line is the key in Base64.
static int read_key(const char *path, unsigned char key[KEY_BYTES + 4]) {
    long count = 0;
    unsigned char *line = read_file(path, &count);
    const char *word = line ? strchr((char *)line, ' ') : NULL;
    word = word ? strchr(word + 1, ' ') : NULL;
    int decoded = word ? EVP_DecodeBlock(key, (const unsigned char *)word + 1, (KEY_BYTES + 2) / 3 * 4) : 0;
    free(line);
    return decoded >= KEY_BYTES;
}

static unsigned long number(const unsigned char *bytes) {
    return (unsigned long)bytes[0] << 24 | (unsigned long)bytes[1] << 16 | (unsigned long)bytes[2] << 8 | bytes[3];
}

static int open_piece(EVP_CIPHER_CTX *cipher, unsigned char *sealed, int count, const unsigned char *context,
                      int context_count, unsigned char *output) {
    int written = 0, body = count - NONCE_BYTES - TAG_BYTES;
    return body >= 0 && EVP_DecryptInit_ex(cipher, NULL, NULL, NULL, sealed) == 1 &&
           EVP_DecryptUpdate(cipher, NULL, &written, context, context_count) == 1 &&
           EVP_DecryptUpdate(cipher, output, &written, sealed + NONCE_BYTES, body) == 1 &&
           EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, TAG_BYTES, sealed + NONCE_BYTES + body) == 1 &&
           EVP_DecryptFinal_ex(cipher, output + body, &written) == 1;
}

static int open_record(EVP_CIPHER_CTX *cipher, unsigned char *record, long count) {
    unsigned char output[4096], context[CONTEXT_BYTES];
    long header = HEADER_HEAD + (long)number(record + 4);
    unsigned char *body = record + HEADER_HEAD;
    int body_count = (int)header - HEADER_HEAD - NONCE_BYTES - TAG_BYTES;
    if (header > count || !open_piece(cipher, body + body_count, NONCE_BYTES + TAG_BYTES, body, body_count, output))
        return -1;
    // Identity, generation and count follow two bytes; the index comes last.
    memcpy(context, body + 2, CONTEXT_BYTES - 4);
    int entries = (int)number(body + 26);
    long position = header;
    for (int index = 0; index < entries; index++) {
        if (position + ENTRY_HEAD > count) return -1;
        long length = (long)number(record + position + 8);
        memcpy(context + CONTEXT_BYTES - 4, record + position + 4, 4);
        position += ENTRY_HEAD;
        if (length > (long)sizeof output || position + length > count ||
            !open_piece(cipher, record + position, (int)length, context, CONTEXT_BYTES, output))
            return -1;
        position += length;
    }
    return position + header == count ? entries : -1;
}

int till_vault_reference_run(const char *key_path, const char *record_path) {
    unsigned char key[KEY_BYTES + 4];
    long count = 0;
    int entries = -1;
    unsigned char *record = read_file(record_path, &count);
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    if (record && count > HEADER_HEAD && cipher && read_key(key_path, key) &&
        EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, NULL) == 1)
        entries = open_record(cipher, record, count);
    EVP_CIPHER_CTX_free(cipher);
    free(record);
    return entries;
}
