import CCurl
import Foundation
import StoreHTTP
import Synchronization

/// Owns one of libcurl's easy handles and everything with the same lifetime. Belongs to the client's thread.
final class EasyHandle {
    /// The number of handles in this process.
    static var count: Int { counter.load(ordering: .relaxed) }

    private static let counter = Atomic<Int>(0)

    let pointer: UnsafeMutableRawPointer
    private var list: UnsafeMutablePointer<curl_slist>?
    private let reason: UnsafeMutablePointer<CChar>

    init() throws(HTTPClientError) {
        guard LibCurl.isReady, let pointer = curl_easy_init() else {
            throw HTTPClientError(.failed, "There is no memory for a request.", outcome: .notSent)
        }
        self.pointer = pointer
        reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
        reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        Self.counter.add(1, ordering: .relaxed)
        try set(CURLOPT_ERRORBUFFER, pointer: reason)
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(list)
        reason.deallocate()
        Self.counter.subtract(1, ordering: .relaxed)
    }

    /// libcurl's error message; printable and short.
    var failure: String {
        String(String(cString: reason).unicodeScalars.prefix(200).filter { $0.value >= 0x20 && $0.value != 0x7F })
    }

    func set(_ option: CURLoption, _ value: Int) throws(HTTPClientError) {
        try check(till_curl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: Bool) throws(HTTPClientError) {
        try set(option, value ? 1 : 0)
    }

    func set(_ option: CURLoption, size value: Int) throws(HTTPClientError) {
        try check(till_curl_set_size(pointer, option, curl_off_t(value)))
    }

    /// libcurl keeps a copy of the text.
    func set(_ option: CURLoption, _ text: String?) throws(HTTPClientError) {
        try check(till_curl_set_text(pointer, option, text))
    }

    func set(_ option: CURLoption, bytes: [UInt8]) throws(HTTPClientError) {
        try check(till_curl_set_copied_bytes(pointer, option, bytes, bytes.count))
    }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(HTTPClientError) {
        try check(till_curl_set_pointer(pointer, option, value))
    }

    /// The lines of the header, which libcurl uses as long as this handle.
    func set(lines: [String]) throws(HTTPClientError) {
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                throw HTTPClientError(.failed, "There is no memory for the header.", outcome: .notSent)
            }
            list = longer
        }
        try set(CURLOPT_HTTPHEADER, pointer: list)
    }

    func check(_ code: CURLcode) throws(HTTPClientError) {
        guard code != CURLE_OK else { return }
        let message = "libcurl does not take a setting: \(String(cString: curl_easy_strerror(code)))."
        throw HTTPClientError(.settings, message, outcome: .notSent)
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return till_curl_info_long(pointer, info, &value) == CURLE_OK ? value : 0
    }
}

/// Sets the options of a handle for one request.
struct EasyOptions {
    let exchange: Exchange
    let configuration: HTTPClientConfiguration

    private var request: ClientRequest { exchange.request }

    func apply(to easy: EasyHandle) throws(HTTPClientError) {
        try setBehaviour(of: easy)
        try setTimeouts(of: easy)
        try setTrust(of: easy)
        try setProxy(of: easy)
        try setRequest(of: easy)
        try setReuse(of: easy)
    }

    private func setBehaviour(of easy: EasyHandle) throws(HTTPClientError) {
        try easy.set(CURLOPT_NOSIGNAL, true)
        // A name that is still being resolved must not hold up the end of a request; the system's thread ends by itself.
        try easy.set(CURLOPT_QUICK_EXIT, true)
        try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try easy.set(CURLOPT_NETRC, 0)
        try easy.set(CURLOPT_BUFFERSIZE, configuration.limits.transferBytes)
        try easy.set(CURLOPT_UPLOAD_BUFFERSIZE, configuration.limits.transferBytes)
        try easy.set(CURLOPT_USERAGENT, configuration.product)
        try easy.set(CURLOPT_MAXLIFETIME_CONN, 0)
        try easy.set(CURLOPT_MAXAGE_CONN, configuration.limits.idleConnectionSeconds)
    }

    private func setTimeouts(of easy: EasyHandle) throws(HTTPClientError) {
        let timeouts = request.timeouts ?? configuration.timeouts
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, timeouts.connect.curlMilliseconds)
        try easy.set(CURLOPT_LOW_SPEED_LIMIT, 1)
        try easy.set(CURLOPT_LOW_SPEED_TIME, timeouts.idle.curlSeconds)
        if let total = timeouts.total { try easy.set(CURLOPT_TIMEOUT_MS, total.curlMilliseconds) }
    }

    private func setTrust(of easy: EasyHandle) throws(HTTPClientError) {
        try easy.set(CURLOPT_SSL_VERIFYPEER, true)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        switch configuration.trust.authorities {
        case .system: break
        case .file(let path):
            // Debian's libcurl would look into the system's folder as well.
            try easy.set(CURLOPT_CAPATH, nil)
            try easy.set(CURLOPT_CAINFO, path)
        case .pem(let bytes):
            try easy.set(CURLOPT_CAPATH, nil)
            try easy.set(CURLOPT_CAINFO, nil)
            try easy.set(CURLOPT_CAINFO_BLOB, bytes: bytes)
        }
        let pins = configuration.trust.pinnedKeys
        guard !pins.isEmpty else { return }
        let text = pins.map { "sha256//" + Base64Text.encode($0) }.joined(separator: ";")
        try easy.set(CURLOPT_PINNEDPUBLICKEY, text)
    }

    private func setProxy(of easy: EasyHandle) throws(HTTPClientError) {
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        switch configuration.proxy {
        case .environment: break
        // An empty name ignores the environment.
        case .direct: try easy.set(CURLOPT_PROXY, "")
        case .proxy(let proxy):
            try easy.set(CURLOPT_PROXY, proxy.host)
            try easy.set(CURLOPT_NOPROXY, "")
            try easy.set(CURLOPT_PROXYPORT, proxy.port)
            let kind = proxy.kind == .http ? CURLPROXY_HTTP : CURLPROXY_SOCKS5_HOSTNAME
            try easy.set(CURLOPT_PROXYTYPE, Int(kind.rawValue))
            if let user = proxy.user { try easy.set(CURLOPT_PROXYUSERNAME, user) }
            if let password = proxy.password { try easy.set(CURLOPT_PROXYPASSWORD, password) }
        }
    }

    private func setRequest(of easy: EasyHandle) throws(HTTPClientError) {
        try easy.set(CURLOPT_URL, exchange.url.text)
        try easy.set(CURLOPT_PATH_AS_IS, true)
        if let path = request.socketPath { try easy.set(CURLOPT_UNIX_SOCKET_PATH, path) }
        try setMethod(of: easy)
        try easy.set(lines: HeaderLines(request).lines)
        if exchange.receiver.wantsDecompression { try easy.set(CURLOPT_ACCEPT_ENCODING, "gzip") }
    }

    private func setMethod(of easy: EasyHandle) throws(HTTPClientError) {
        var hasBody = true
        if case .empty = request.body { hasBody = [.post, .put, .patch].contains(request.method) }
        if hasBody {
            try easy.set(CURLOPT_UPLOAD, true)
            try easy.set(CURLOPT_INFILESIZE_LARGE, size: request.body.length ?? -1)
        } else if request.method == .head {
            try easy.set(CURLOPT_NOBODY, true)
            return
        } else {
            try easy.set(CURLOPT_HTTPGET, true)
        }
        if request.method != .get || hasBody { try easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
    }

    /// On a connection that turns out to be closed, libcurl sends a request again by itself. A request that must not or
    /// cannot be sent twice therefore gets a new connection, on which that never happens.
    private func setReuse(of easy: EasyHandle) throws(HTTPClientError) {
        if !request.isRepeatable { try easy.set(CURLOPT_FRESH_CONNECT, true) }
    }
}

/// Base64 in the usual alphabet.
enum Base64Text {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
