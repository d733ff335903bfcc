#ifndef TILL_CCURL_H
#define TILL_CCURL_H

#include <curl/curl.h>

// Swift sees no variadic functions; each use of one has its line here, by the type of what is handed over. The names in
// parentheses are the functions, not the macros of the same name.

static inline CURLcode till_curl_set_long(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode till_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode till_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode till_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode till_curl_set_copied_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return (curl_easy_setopt)(easy, option, &blob);
}
static inline CURLcode till_curl_on_write(CURL *easy, CURLoption option, curl_write_callback callback) {
    return (curl_easy_setopt)(easy, option, callback);
}
static inline CURLcode till_curl_on_read(CURL *easy, curl_read_callback callback) {
    return (curl_easy_setopt)(easy, CURLOPT_READFUNCTION, callback);
}
static inline CURLcode till_curl_on_seek(CURL *easy, curl_seek_callback callback) {
    return (curl_easy_setopt)(easy, CURLOPT_SEEKFUNCTION, callback);
}
static inline CURLcode till_curl_on_open_socket(CURL *easy, curl_opensocket_callback callback) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}
static inline CURLcode till_curl_info_long(CURL *easy, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(easy, info, value);
}
static inline CURLcode till_curl_info_pointer(CURL *easy, CURLINFO info, void **value) {
    return (curl_easy_getinfo)(easy, info, value);
}
static inline CURLMcode till_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

// The next transfer that has ended, or NULL.
static inline CURL *till_curl_next_ended(CURLM *multi, CURLcode *result) {
    int waiting;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &waiting)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

#endif
