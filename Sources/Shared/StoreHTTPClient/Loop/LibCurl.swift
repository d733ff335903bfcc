import CCurl

/// The library as a whole.
enum LibCurl {
    /// Whether it could be prepared, which happens once in a process.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
