import Foundation

/// The credentials of a client.
package enum Authorization: Hashable, Sendable {
    case bearer(String)
    case basic(user: String, password: String)

    /// Reads the value of the field `Authorization`; nil for other schemes and for what cannot be read.
    package init?(parsing text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let credentials = parts[1].trimmingHTTPSpace
        switch parts[0].lowercased() {
        case "bearer":
            guard !credentials.isEmpty, credentials.utf8.allSatisfy(Self.isTokenByte) else { return nil }
            self = .bearer(String(credentials))
        case "basic":
            guard let data = Data(base64Encoded: String(credentials)),
                let pair = String(validating: data, as: UTF8.self), let colon = pair.firstIndex(of: ":"),
                !pair.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
            else { return nil }
            self = .basic(user: String(pair[..<colon]), password: String(pair[pair.index(after: colon)...]))
        default: return nil
        }
    }

    /// The bytes of `token68` (RFC 9110 §11.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~+/=".utf8.contains(byte)
        }
    }
}

extension HTTPRequest {
    /// The credentials of the request; nil if there are none, or two.
    package var authorization: Authorization? {
        let values = fields.values("Authorization")
        return values.count == 1 ? Authorization(parsing: values[0]) : nil
    }
}
