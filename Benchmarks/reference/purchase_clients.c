// For clock_gettime and sockets in ISO C.
#define _GNU_SOURCE

#include "CBenchReference.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { room = 16384 };

// One client on its connection, at one step of a purchase: 0 opens, 1 confirms, 2 finishes.
typedef struct {
    int number, step, connection;
    char key[37], answer[room];
    size_t count;
} client;

struct till_purchase_clients {
    int count;
    // The client that could not go on.
    int failed;
    unsigned long long purchases;
    int poll;
    client *clients;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Without a body it asks and changes nothing.
static int send_request(till_purchase_clients *clients, int index, const char *path, const char *body) {
    client *client = &clients->clients[index];
    char request[1024];
    const char *method = body ? "POST" : "GET";
    if (!body) body = "";
    int count = snprintf(request, sizeof request,
                         "%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token-of-device-%d\r\n"
                         "Idempotency-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                         method, path, client->number, client->key, strlen(body), body);
    client->count = 0;
    return send(client->connection, request, (size_t)count, MSG_NOSIGNAL) == count;
}

static int begin(till_purchase_clients *clients, int index) {
    client *client = &clients->clients[index];
    unsigned long long number = ++clients->purchases;
    snprintf(client->key, sizeof client->key, "%08llx-%04x-4000-8000-%012llx", number * 2654435761 % 4294967296,
             (unsigned)getpid() & 0xFFFF, number);
    client->step = 0;
    return send_request(clients, index, "/device/v1/purchases", "{\"productId\":\"com.example.monkey.coins\"}");
}

// The text of a member of JSON, which has no escapes.
static int member(const char *text, const char *name, char *value, size_t size) {
    char start[64];
    snprintf(start, sizeof start, "\"%s\":\"", name);
    const char *found = strstr(text, start), *end = found ? strchr(found + strlen(start), '"') : NULL;
    if (!end) return 0;
    found += strlen(start);
    if ((size_t)(end - found) >= size) return 0;
    memcpy(value, found, (size_t)(end - found));
    value[end - found] = 0;
    return 1;
}

// The number of the transaction in a JWS.
static int transaction(const char *answer, char *number, size_t size) {
    char signed_text[8192], payload[8192];
    if (!member(answer, "signedTransaction", signed_text, sizeof signed_text)) return 0;
    char *start = strchr(signed_text, '.'), *end = start ? strchr(start + 1, '.') : NULL;
    if (!end) return 0;
    for (char *place = ++start; place < end; place++) *place = *place == '-' ? '+' : *place == '_' ? '/' : *place;
    while ((end - start) % 4) *end++ = '=';
    int count = EVP_DecodeBlock((unsigned char *)payload, (unsigned char *)start, (int)(end - start));
    payload[count < 0 ? 0 : count] = 0;
    return member(payload, "transactionId", number, size);
}

// Goes on after an answer: 1 if a purchase is done, -1 if something is wrong.
static int go_on(till_purchase_clients *clients, int index) {
    client *client = &clients->clients[index];
    char path[256], body[256], value[128];
    if (client->answer[9] != '2') return -1;
    switch (client->step++) {
    case 0:
        if (!member(client->answer, "token", value, sizeof value)) return -1;
        snprintf(path, sizeof path, "/device/v1/purchases/%s/confirmation", client->key);
        snprintf(body, sizeof body, "{\"token\":\"%s\"}", value);
        return send_request(clients, index, path, body) ? 0 : -1;
    case 1:
        if (member(client->answer, "state", value, sizeof value) && !strcmp(value, "processing")) {
            // The processor has not answered yet: an app asks how the purchase stands.
            client->step = 1;
            snprintf(path, sizeof path, "/device/v1/purchases/%s?wait=10&state=processing", client->key);
            return send_request(clients, index, path, NULL) ? 0 : -1;
        }
        if (!transaction(client->answer, value, sizeof value)) return -1;
        snprintf(path, sizeof path, "/device/v1/transactions/%s/finish", value);
        return send_request(clients, index, path, "") ? 0 : -1;
    default: return begin(clients, index) ? 1 : -1;
    }
}

static int is_whole(client *client) {
    client->answer[client->count] = 0;
    char *end = strstr(client->answer, "\r\n\r\n"), *length = strcasestr(client->answer, "\r\nContent-Length:");
    if (!end) return 0;
    size_t body = length && length < end ? strtoul(length + 17, NULL, 10) : 0;
    return client->count >= (size_t)(end + 4 - client->answer) + body;
}

static int receive(till_purchase_clients *clients, int index) {
    client *client = &clients->clients[index];
    ssize_t count = recv(client->connection, client->answer + client->count, room - 1 - client->count, 0);
    if (count <= 0) return -1;
    client->count += (size_t)count;
    return is_whole(client) ? go_on(clients, index) : 0;
}

till_purchase_clients *till_purchase_clients_new(int port, int count) {
    till_purchase_clients *clients = calloc(1, sizeof *clients);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    clients->count = count;
    clients->purchases = (unsigned long long)(now() * 1e6);
    clients->poll = epoll_create1(EPOLL_CLOEXEC);
    clients->clients = calloc((size_t)count, sizeof *clients->clients);
    for (int index = 0; index < count; index++) {
        int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct epoll_event readable = {.events = EPOLLIN, .data.fd = index};
        clients->clients[index].number = index + 1;
        clients->clients[index].connection = connection;
        if (connect(connection, (struct sockaddr *)&address, sizeof address) ||
            epoll_ctl(clients->poll, EPOLL_CTL_ADD, connection, &readable) || !begin(clients, index)) {
            clients->count = index + 1;
            till_purchase_clients_free(clients);
            return NULL;
        }
    }
    return clients;
}

void till_purchase_clients_free(till_purchase_clients *clients) {
    for (int index = 0; index < clients->count; index++) close(clients->clients[index].connection);
    close(clients->poll);
    free(clients->clients);
    free(clients);
}

const char *till_purchase_clients_answer(const till_purchase_clients *clients) {
    return clients->clients[clients->failed].answer;
}

// Goes on at least until one purchase is done.
long long till_purchase_clients_run(till_purchase_clients *clients, double seconds) {
    double end = now() + seconds;
    long long done = 0;
    while (now() < end || done == 0) {
        // Less than none if a child of another part of the row ended meanwhile, which interrupts.
        struct epoll_event ready[64];
        int count = epoll_wait(clients->poll, ready, sizeof ready / sizeof *ready, 1000);
        for (int place = 0; place < count; place++) {
            int index = ready[place].data.fd, result = receive(clients, index);
            if (result < 0) {
                clients->failed = index;
                return -1;
            }
            done += result;
        }
    }
    return done;
}
