import CCurl

/// The address of a request, read by the same code that will connect to it.
package struct ClientURL: Hashable, Sendable {
    static let maximumBytes = 16 * 1024

    package let text: String
    package let isSecure: Bool
    /// The host as libcurl connects to it: an unusual spelling of an IPv4 address is normalized.
    package let host: String
    package let port: Int

    /// The address that the URL has in the place of a name; nil if it has a name.
    package var address: NetworkAddress? {
        NetworkAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }

    /// What is safe to log: path and query may contain secrets.
    package var place: String { "\(isSecure ? "https" : "http")://\(host):\(port)" }

    package init(_ text: String) throws(HTTPClientError) {
        try self.init(text, relativeTo: nil)
    }

    /// Resolves a `Location`, absolute or relative.
    package func following(_ location: String) throws(HTTPClientError) -> ClientURL {
        do throws(HTTPClientError) {
            return try ClientURL(location, relativeTo: self)
        } catch {
            let message = "\(place) redirects to an address that cannot be used: \(error.message)"
            throw HTTPClientError(.redirection, message, outcome: .answered)
        }
    }

    private init(_ text: String, relativeTo base: ClientURL?) throws(HTTPClientError) {
        guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Self.error("The URL exceeds \(Self.maximumBytes) bytes or has characters that must be encoded.")
        }
        guard let handle = curl_url() else { throw Self.error("There is no memory to read the URL.") }
        defer { curl_url_cleanup(handle) }
        if let base { curl_url_set(handle, CURLUPART_URL, base.text, UInt32(CURLU_PATH_AS_IS)) }
        guard curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK else {
            throw Self.error("The URL cannot be read; an absolute one is needed, like https://host/path.")
        }
        guard let scheme = Self.part(CURLUPART_SCHEME, of: handle), scheme == "http" || scheme == "https" else {
            throw Self.error("The URL must begin with https:// or http://.")
        }
        guard Self.part(CURLUPART_USER, of: handle) == nil, Self.part(CURLUPART_PASSWORD, of: handle) == nil else {
            throw Self.error("The URL must not contain a user or a password; send an Authorization field.")
        }
        guard let host = Self.part(CURLUPART_HOST, of: handle), !host.isEmpty,
            let port = Self.part(CURLUPART_PORT, of: handle, UInt32(CURLU_DEFAULT_PORT)).flatMap(Int.init)
        else { throw Self.error("The URL names no host.") }
        // libcurl takes the first part of the path for the host that is missing.
        guard base != nil || !text.dropFirst(scheme.utf8.count).hasPrefix(":///") else {
            throw Self.error("The URL names no host.")
        }
        guard port > 0 else { throw Self.error("The URL has a port from 1 to 65535, if any.") }
        let whole = base == nil ? text : Self.part(CURLUPART_URL, of: handle)
        guard let whole else { throw Self.error("The URL cannot be put together.") }
        self.text = whole
        self.host = host
        self.port = port
        isSecure = scheme == "https"
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private static func error(_ message: String) -> HTTPClientError {
        HTTPClientError(.requestMalformed, message, outcome: .notSent)
    }
}
