import CCurl

/// Owns libcurl's set of transfers and its open connections. Belongs to the client's thread.
struct MultiHandle: ~Copyable {
    /// The one use of it that libcurl allows to other threads is to wake the one that polls.
    let pointer: UnsafeMutableRawPointer

    init?(_ limits: ClientLimits) {
        guard LibCurl.isReady, let pointer = curl_multi_init() else { return nil }
        self.pointer = pointer
        _ = till_curl_multi_set_long(pointer, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.connections)
        _ = till_curl_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, limits.connectionsPerHost)
        _ = till_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, limits.idleConnections)
        _ = till_curl_multi_set_long(pointer, CURLMOPT_PIPELINING, 0)
    }

    deinit { curl_multi_cleanup(pointer) }

    /// Does what can be done without waiting.
    func perform() {
        var running: Int32 = 0
        _ = curl_multi_perform(pointer, &running)
    }

    /// Waits until something can be done, or until woken.
    func poll() { _ = curl_multi_poll(pointer, nil, 0, 60_000, nil) }

    /// The next transfer that has ended, with libcurl's result.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, result: CURLcode)? {
        var result = CURLE_OK
        return till_curl_next_ended(pointer, &result).map { ($0, result) }
    }
}
