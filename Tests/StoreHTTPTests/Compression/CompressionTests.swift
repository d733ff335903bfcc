import TestSupport
import Testing

@testable import StoreHTTP

/// Compressed bodies in both directions.
struct CompressionTests {
    private static let text = Array(String(repeating: "Till ", count: 1000).utf8)
    private static let original = Array(String(repeating: "Till ", count: 200).utf8)

    private func send(
        _ response: HTTPResponse, accept: String? = "gzip", method: String = "GET"
    ) async throws -> TransportResponse {
        let middleware: [any Middleware] = [ConditionalRequests(random: { 7 }), Compression()]
        let service = HTTPService([.get("/") { _ in response }], middleware: middleware, errors: JSONErrorForm())
        var request = TransportRequest(method, "/")
        request.fields["Accept-Encoding"] = accept
        return try await InMemoryTransport(service, clock: { 0 }).send(request)
    }

    private func response(_ type: String = "application/json", _ fields: HTTPFields = [:]) -> HTTPResponse {
        var response = HTTPResponse(.ok, Self.text, as: type)
        for field in fields.all { response.fields.add(field.name, field.value) }
        return response
    }

    @Test("A client that asks for it gets it compressed")
    func compressed() async throws {
        let response = try await send(response())
        let body = try await response.body.collect()
        #expect(response.fields["Content-Encoding"] == "gzip")
        #expect(response.fields["Vary"] == "Accept-Encoding")
        #expect(response.fields["Content-Length"] == String(body.count))
        #expect(body.count < Self.text.count / 10)
        #expect(try Inflater.gunzip(body, limit: 10_000) == Self.text)
    }

    @Test(
        "A client that does not ask gets it as it is, and caches are told",
        arguments: [nil, "br", "gzip;q=0", "identity, gzip;q=0.5"])
    func uncompressed(_ accept: String?) async throws {
        let response = try await send(response(), accept: accept)
        #expect(response.fields["Content-Encoding"] == nil)
        #expect(response.fields["Vary"] == "Accept-Encoding")
        #expect(try await response.body.collect() == Self.text)
    }

    @Test("A compressed body offers no ranges of what it was made from")
    func ranges() async throws {
        let sent = try await send(response("application/json", ["Accept-Ranges": "bytes", "ETag": "\"a\""]))
        #expect(sent.fields["Content-Encoding"] == "gzip")
        #expect(sent.fields["Accept-Ranges"] == nil)
        let plain = try await send(response("application/json", ["Accept-Ranges": "bytes"]), accept: nil)
        #expect(plain.fields["Accept-Ranges"] == "bytes")
    }

    @Test("A part of something is not compressed: the parts of another would not fit it")
    func parts() async throws {
        let part = HTTPResponse(.partialContent, Self.text, as: "application/json")
        let sent = try await send(part)
        #expect(sent.fields["Content-Encoding"] == nil)
        #expect(try await sent.body.collect() == Self.text)
    }

    @Test("What gains nothing, or must stay as it is, is not compressed")
    func left() async throws {
        var twofold = response("application/json", ["Cache-Control": "no-store"])
        twofold.fields.add("Cache-Control", "No-Transform")
        let left = [
            twofold,
            response("image/png"), response("junk"), response("text/plain", ["Content-Encoding": "br"]),
            response("text/plain", ["Cache-Control": "public, no-transform"]),
            HTTPResponse.text(String(repeating: "a", count: 100)),
        ]
        for response in left {
            let sent = try await send(response)
            #expect(sent.fields["Content-Encoding"] != "gzip")
            #expect(sent.fields["Vary"] == nil)
        }
    }

    @Test("A strong tag becomes a weak one, and still says not modified")
    func tag() async throws {
        let response = try await send(response("text/plain", ["ETag": "\"a\"", "Vary": "Cookie"]))
        #expect(response.fields["ETag"] == "W/\"a\"")
        #expect(response.fields.values("Vary") == ["Cookie", "Accept-Encoding"])
        let service = HTTPService(
            [.get("/") { _ in self.response("text/plain", ["ETag": "\"a\""]) }],
            middleware: [ConditionalRequests(random: { 7 }), Compression()], errors: JSONErrorForm())
        let again = TransportRequest.get("/", fields: ["Accept-Encoding": "gzip", "If-None-Match": "W/\"a\""])
        #expect(try await InMemoryTransport(service, clock: { 0 }).send(again).status == .notModified)
    }

    @Test("HEAD has no compressed body and the same Vary")
    func head() async throws {
        let response = try await send(response(), method: "HEAD")
        #expect(response.fields["Content-Encoding"] == nil)
        #expect(response.fields["Vary"] == "Accept-Encoding")
    }

    @Test("A stream can be read piece by piece while it is made")
    func streaming() async throws {
        let stream = BodyStream()
        let response = try await send(
            HTTPResponse(.ok, fields: ["Content-Type": "text/plain"], body: .stream(length: nil, stream)))
        #expect(response.fields["Content-Encoding"] == "gzip")
        let inflater = try #require(Inflater(limit: 1_000_000))
        var pieces = response.body.makeAsyncIterator()
        for piece in [[1, 2, 3], Self.text] as [[UInt8]] {
            try await stream.write(piece)
            var read: [UInt8] = []
            while read.count < piece.count { read += try inflater.inflate(try #require(try await pieces.next())) }
            #expect(read == piece)
        }
        stream.finish()
        while let piece = try await pieces.next() { _ = try inflater.inflate(piece) }
        #expect(inflater.isComplete)
    }

    @Test("A stream that fails is not ended as if it were whole")
    func failing() async throws {
        struct Broken: Error {}
        let stream = BodyStream()
        let response = try await send(
            HTTPResponse(.ok, fields: ["Content-Type": "text/plain"], body: .stream(length: nil, stream)))
        try await stream.write([1])
        stream.fail(Broken())
        await #expect(throws: Broken.self) { try await response.body.collect() }
    }

    @Test("What another tool compressed is read")
    func golden() throws {
        #expect(try Inflater.gunzip(bytes(hex: GoldenForms.gzip), limit: 1000) == Self.original)
    }

    @Test("Everything that is compressed can be read back")
    func roundTrip() throws {
        var random = RandomizedRun.generator(named: "gzip")
        for _ in 0..<RandomizedRun.cases(50) {
            let bytes = random.bytes(Int.random(in: 0...70_000, using: &random))
            #expect(try Inflater.gunzip(#require(Deflater.gzip(bytes)), limit: bytes.count) == bytes)
        }
    }

    @Test("Damaged bytes are refused or read within the limit")
    func mutants() {
        for mutant in Mutants("gzip", of: [bytes(hex: GoldenForms.gzip)], rounds: 2000) {
            if let read = try? Inflater.gunzip(mutant.bytes, limit: 1000) {
                #expect(read == Self.original, "\(mutant)")
            }
        }
    }

    private func receive(_ body: RequestBody, coding: String = "gzip", streamed: Bool) async throws -> TransportResponse
    {
        let policy: BodyPolicy = streamed ? .streamed(limit: 2000) : .collected(limit: 2000)
        let route = Route.post("/", body: policy) { request in
            if case .streaming(let stream) = request.body {
                return HTTPResponse(.ok, try await stream.collect(limit: .max), as: "text/plain")
            }
            await Task.yield()
            return HTTPResponse(.ok, request.body.bytes, as: "text/plain")
        }
        let service = HTTPService([route], middleware: [RequestDecompression()], errors: JSONErrorForm())
        let request = TransportRequest("POST", "/", fields: ["Content-Encoding": coding], body: body)
        return try await InMemoryTransport(service, clock: { 0 }).send(request)
    }

    @Test("A compressed body reaches the handler as it was", arguments: [true, false])
    func received(_ streamed: Bool) async throws {
        let response = try await receive(.collected(bytes(hex: GoldenForms.gzip)), streamed: streamed)
        #expect(try await response.body.collect() == Self.original)
    }

    @Test("Several members behind one another are one body", arguments: [true, false])
    func members(_ streamed: Bool) async throws {
        let golden = bytes(hex: GoldenForms.gzip)
        let empty = try #require(Deflater.gzip([]))
        for body in [empty, golden + empty, empty + golden, empty + empty + golden + empty] {
            let response = try await receive(.collected(body), streamed: streamed)
            #expect(try await response.body.collect() == (body == empty ? [] : Self.original))
        }
        let twice = try await receive(.collected(golden + golden), streamed: streamed)
        #expect(try await twice.body.collect() == Self.original + Self.original)
    }

    @Test("The limit holds for all members together", arguments: [true, false])
    func limitOfMembers(_ streamed: Bool) async throws {
        let member = try #require(Deflater.gzip(Array(repeating: 0, count: 1000)))
        #expect(try await receive(.collected(member + member), streamed: streamed).status == .ok)
        let one = try #require(Deflater.gzip([0]))
        #expect(try await receive(.collected(member + member + one), streamed: streamed).status == .contentTooLarge)
    }

    @Test("Members are read whatever the pieces they come in")
    func pieces() throws {
        let bytes = bytes(hex: GoldenForms.gzip) + (try #require(Deflater.gzip([1, 2, 3])))
        for count in [1, 2, 7, 64, bytes.count - 1] {
            let inflater = try #require(Inflater(limit: 2000))
            var read: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: count) {
                read += try inflater.inflate(Array(bytes[start..<min(start + count, bytes.count)]))
            }
            #expect(read == Self.original + [1, 2, 3])
            #expect(inflater.isComplete)
        }
    }

    @Test("A small body that would become a large one is refused", arguments: [true, false])
    func bomb(_ streamed: Bool) async throws {
        let bomb = try #require(Deflater.gzip(Array(repeating: 0, count: 1_500_000)))
        #expect(bomb.count < 2000)
        #expect(try await receive(.collected(bomb), streamed: streamed).status == .contentTooLarge)
    }

    @Test("A body that is not what it says is refused", arguments: [true, false])
    func broken(_ streamed: Bool) async throws {
        let whole = bytes(hex: GoldenForms.gzip)
        let bodies: [[UInt8]] = [
            [1, 2, 3], Array(whole.dropLast(3)), whole + [0], whole + whole.dropLast(), whole + whole[..<4],
        ]
        for body in bodies {
            #expect(try await receive(.collected(body), streamed: streamed).status == .badRequest)
        }
    }

    @Test(
        "Another coding is refused, and none is none",
        arguments: [("br", 415), ("gzip, gzip", 415), ("identity", 200), ("x-gzip", 200)])
    func coding(_ coding: String, _ status: Int) async throws {
        let body = bytes(hex: GoldenForms.gzip)
        let response = try await receive(.collected(body), coding: coding, streamed: false)
        #expect(response.status.rawValue == status)
        #expect(response.fields["Accept-Encoding"] == (status == 415 ? "gzip" : nil))
    }
}
