import StoreHTTPListener
import TestSupport
import Testing

@Suite("What two programs could read in two ways is refused, and its connection closed", .ownThread, .bounded)
struct HostileRequestTests {
    private static let host = "Host: till.test\r\n"
    private static let post = "POST /length HTTP/1.1\r\n" + host

    static let heads: [(name: String, request: String, status: Int)] = [
        ("two lengths", post + "Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd", 400),
        ("a length and chunks", post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("a list of lengths", post + "Content-Length: 4, 4\r\n\r\nabcd", 400),
        ("a length with a sign", post + "Content-Length: +4\r\n\r\nabcd", 400),
        ("a length beyond all numbers", post + "Content-Length: 99999999999999999999999\r\n\r\n", 413),
        ("a coding besides chunks", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        ("chunks told twice", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("a coding hidden by a tab", post + "Transfer-Encoding: chunked\t\r\n\r\n0\r\n\r\n", 501),
        ("a space before the colon", post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
        ("chunks in HTTP/1.0", "POST /length HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("a folded field", "GET / HTTP/1.1\r\n" + host + "X: a\r\n b\r\n\r\n", 400),
        ("a folded last field", "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400),
        ("a bare line feed behind a field", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400),
        ("a bare line feed behind the first line", "GET / HTTP/1.1\n" + host + "\r\n", 400),
        ("a bare line feed at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
        ("a bare carriage return", "GET / HTTP/1.1\r\n" + host + "X: a\rY: b\r\n\r\n", 400),
        ("NUL in a value", "GET / HTTP/1.1\r\n" + host + "X: a\0b\r\n\r\n", 400),
        ("NUL in a name", "GET / HTTP/1.1\r\n" + host + "X\0: a\r\n\r\n", 400),
        ("NUL before a line", "GET / HTTP/1.1\r\n" + host + "\0X: a\r\n\r\n", 400),
        ("NUL in the target", "GET /a\0b HTTP/1.1\r\n" + host + "\r\n", 400),
        ("a field without a name", "GET / HTTP/1.1\r\n" + host + ": a\r\n\r\n", 400),
        ("a field without a colon", "GET / HTTP/1.1\r\n" + host + "X\r\n\r\n", 400),
        ("no host", "GET / HTTP/1.1\r\nX: y\r\n\r\n", 400),
        ("two hosts", "GET / HTTP/1.1\r\n" + host + host + "\r\n", 400),
        ("a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        ("two spaces in the first line", "GET  / HTTP/1.1\r\n" + host + "\r\n", 400),
        ("a space in the target", "GET /a b HTTP/1.1\r\n" + host + "\r\n", 400),
        ("a method that is no word", "G(T / HTTP/1.1\r\n" + host + "\r\n", 400),
        ("a target of another form", "GET ftp://a/ HTTP/1.1\r\n" + host + "\r\n", 400),
        ("a host as a target", "CONNECT a:80 HTTP/1.1\r\n" + host + "\r\n", 400),
        ("a fragment in the target", "GET /#a HTTP/1.1\r\n" + host + "\r\n", 400),
        ("no version", "GET /\r\n" + host + "\r\n", 400),
        ("another version", "GET / HTTP/2.0\r\n" + host + "\r\n", 505),
        ("an unknown expectation", post + "Content-Length: 1\r\nExpect: tea\r\n\r\na", 417),
        (
            "a head beyond the limit",
            "GET / HTTP/1.1\r\n" + host + "X: " + String(repeating: "a", count: 13000) + "\r\n\r\n", 431
        ),
        (
            "a target beyond the limit",
            "GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\n" + host + "\r\n", 414
        ),
        // Between these the library has memory for the fields, and none for an answer.
        ("fields for an answer", "GET / HTTP/1.1\r\n" + host + String(repeating: "a:b\r\n", count: 310) + "\r\n", 431),
        ("fields for no answer", "GET / HTTP/1.1\r\n" + host + String(repeating: "a:b\r\n", count: 345) + "\r\n", 431),
        (
            "a query of more values than the limit",
            "GET /?" + String(repeating: "a&", count: 300) + " HTTP/1.1\r\n" + host + "\r\n", 414
        ),
        (
            "a query that fills its bytes with values",
            "GET /?" + String(repeating: "a&", count: 4000) + " HTTP/1.1\r\n" + host + "\r\n", 414
        ),
    ]

    @Test("A head is refused before anybody acts on it", arguments: heads.indices)
    func refusesHead(_ index: Int) async throws {
        let (name, request, status) = Self.heads[index]
        let text = try await exchange(request)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(name): \(text)")
        #expect(text.contains("Connection: close\r\n"), "\(name)")
        #expect(!text.contains("HTTP/1.1 200 "), "\(name): a hidden request was served")
    }

    static let chunks: [(name: String, body: String)] = [
        ("a prefix", "0x1\r\na\r\n0\r\n\r\n"), ("a sign", "-1\r\na\r\n0\r\n\r\n"), ("a plus", "+1\r\na\r\n0\r\n\r\n"),
        ("no number", "g\r\na\r\n0\r\n\r\n"), ("nothing", "\r\na\r\n0\r\n\r\n"), ("a space", "1 \r\na\r\n0\r\n\r\n"),
        ("a leading space", " 1\r\na\r\n0\r\n\r\n"), ("an underscore", "1_0\r\na\r\n0\r\n\r\n"),
        ("too short a size", "1\r\nab\r\n0\r\n\r\n"), ("carriage returns alone", "1\ra\r0\r\r"),
    ]

    @Test("A chunk with a bad size is refused", arguments: chunks.indices)
    func refusesChunk(_ index: Int) async throws {
        let (name, body) = Self.chunks[index]
        let text = try await exchange(Self.post + "Transfer-Encoding: chunked\r\n\r\n" + body)
        #expect(text.hasPrefix("HTTP/1.1 400 "), "\(name): \(text)")
        #expect(!text.contains("HTTP/1.1 200 "), "\(name)")
    }

    @Test("Nothing behind a chunked body is taken for a request, whatever its lines end with")
    func chunkedBodyEndsConnection() async throws {
        let text = try await exchange(Self.post + "Transfer-Encoding: chunked\r\n\r\n1\na\n0\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 200 "))
        #expect(text.ranges(of: "HTTP/1.1 200 ").count == 1)
    }

    @Test(
        "What does not even look like a request is met with silence",
        arguments: ["GET\t/\tHTTP/1.1", "\u{16}\u{3}\u{1}"])
    func noise(_ line: String) async throws {
        #expect(try await exchange(line + "\r\n\r\n") == "")
    }

    /// Sends a request with a second one behind it, and answers all that comes back until the server closes.
    private func exchange(_ request: String) async throws -> String {
        try await withListener { listener in
            try await onThread {
                let client = try RawClient(listener.endpoint)
                client.send(request + "GET / HTTP/1.1\r\nHost: till.test\r\n\r\n")
                return client.receivedText
            }
        }
    }
}
