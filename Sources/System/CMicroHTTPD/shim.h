#ifndef TILL_CMICROHTTPD_H
#define TILL_CMICROHTTPD_H

#include <linux/sockios.h>
#include <microhttpd.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// Swift sees no variadic functions; each that is needed has its one form here.

typedef struct {
    MHD_AccessHandlerCallback serve;
    void *(*target)(void *, const char *, struct MHD_Connection *);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    MHD_LogCallback log;
} till_daemon_callbacks;

// Targets are taken apart by StoreHTTP, which has to see the escapes.
static inline size_t till_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

static inline struct MHD_Daemon *till_start_daemon(
    unsigned int flags, const till_daemon_callbacks *callbacks, void *context, struct MHD_OptionItem *options) {
    return MHD_start_daemon(
        flags, 0, NULL, NULL, callbacks->serve, context, MHD_OPTION_EXTERNAL_LOGGER, callbacks->log, context,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, context, MHD_OPTION_UNESCAPE_CALLBACK, &till_keep_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, context, MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection,
        context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// Ends the query of a target before the library reads its values, each of which would take a record of the connection's memory: a
// short target could fill it, and no answer fits then. Nobody asks the library for them, for the same reason as above.
// Safe: the text is in the buffer of the library, which itself ends the path at the question mark right after this.
static inline void till_end_query(const char *target) {
    char *query = strchr((char *)(uintptr_t)target, '?');
    if (query && query[1]) query[1] = 0;
}

static inline int till_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *till_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

static inline void *till_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline size_t till_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

// Bytes that the other side has acknowledged; on a socket in the file system, bytes that it has not read yet.
// The C library's form of TCP_INFO ends before tcpi_bytes_acked, which the kernel keeps at this place for good.
static inline uint64_t till_send_progress(int descriptor) {
    unsigned char info[128];
    uint64_t acknowledged = 0;
    socklen_t length = sizeof info;
    if (getsockopt(descriptor, 6, 11, info, &length) == 0 && length == sizeof info) {
        memcpy(&acknowledged, info + 120, sizeof acknowledged);
        return acknowledged;
    }
    int unread = 0;
    return ioctl(descriptor, SIOCOUTQ, &unread) == 0 ? (uint64_t)unread : 0;
}

#endif
