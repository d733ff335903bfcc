/// Gives every request an id that its log entries, its response and the client's logs share.
package struct RequestIdentity: Middleware {
    private let isTrusted: @Sendable (PeerAddress) -> Bool
    private let random: @Sendable () -> UInt64

    /// `isTrusted` decides whose `X-Request-Id` is used; `random` must not be predictable.
    package init(
        random: @escaping @Sendable () -> UInt64, isTrusted: @escaping @Sendable (PeerAddress) -> Bool = { _ in false }
    ) {
        self.random = random
        self.isTrusted = isTrusted
    }

    package func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        let claimed = request.fields.values("X-Request-Id")
        if claimed.count == 1, Self.isWellFormed(claimed[0]), isTrusted(request.peer) {
            request.id = claimed[0]
        } else {
            request.id = Self.hexadecimal(random(), random())
        }
        return nil
    }

    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        response.fields["X-Request-Id"] = request.id
    }

    private static func hexadecimal(_ first: UInt64, _ second: UInt64) -> String {
        String(unsafeUninitializedCapacity: 32) { digits in
            for place in 0..<32 {
                let digit = UInt8((place < 16 ? first : second) >> UInt64(60 - place % 16 * 4) & 0xF)
                digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 32
        }
    }

    /// Whether an id is safe in a log and in a field.
    private static func isWellFormed(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { HTTPToken.isTokenByte($0) && !"!#$%&'*^`|".utf8.contains($0) }
    }
}
