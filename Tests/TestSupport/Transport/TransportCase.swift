package import StoreHTTP

/// What a client and a service are to see of one another, whatever carries the bytes between them.
///
/// ```swift
/// @Test("A request is answered over a socket as in memory", arguments: TransportCase.all)
/// func answers(_ example: TransportCase) async throws {
///     #expect(try await example.faults(over: transport) == [])
/// }
/// ```
package struct TransportCase: Sendable, CustomStringConvertible {
    package let name: String
    let request: @Sendable () -> TransportRequest
    let expected: Expectation

    package var description: String { name }

    struct Expectation: Sendable {
        var status: HTTPStatus
        /// Fields that the response must have with exactly this value; nil for those it must not have.
        var fields: [String: String?] = [:]
        /// The whole body; nil where it does not matter.
        var body: [UInt8]?
        /// What the body contains.
        var mentions: String?
    }

    init(_ name: String, _ request: @escaping @autoclosure @Sendable () -> TransportRequest, _ expected: Expectation) {
        self.name = name
        self.request = request
        self.expected = expected
    }

    /// Sends the request and says what is not as it should be.
    package func faults(over transport: some HTTPTransport) async throws -> [String] {
        let response = try await transport.send(request())
        let body = try await response.body.collect()
        var faults: [String] = []
        if response.status != expected.status {
            faults.append("status \(response.status.rawValue) instead of \(expected.status.rawValue)")
        }
        for (name, value) in expected.fields where response.fields[name] != value {
            faults.append("\(name) is \(response.fields[name] ?? "missing") instead of \(value ?? "missing")")
        }
        if response.fields["Date"].flatMap(HTTPDate.init(parsing:)) == nil { faults.append("no proper Date") }
        if let expected = expected.body, body != expected {
            faults.append("a body of \(body.count) bytes instead of \(expected.count), or with other ones")
        }
        let text = String(decoding: body, as: UTF8.self)
        if let mention = expected.mentions, !text.contains(mention) { faults.append("\(text) lacks \(mention)") }
        return faults
    }
}
