/// The two alphabets of Base64 that signed data uses.
package enum Base64Alphabet: Sendable {
    // Closed: RFC 4648 has these two.
    /// With `+`, `/` and padding: certificates in `x5c`, receipts, offer signatures.
    case standard
    /// With `-`, `_` and no padding: the segments of a JWS.
    case url

    var characters: [UInt8] {
        switch self {
        case .standard: Self.standardCharacters
        case .url: Self.urlCharacters
        }
    }

    var values: [UInt8] {
        switch self {
        case .standard: Self.standardValues
        case .url: Self.urlValues
        }
    }

    /// Marks a byte that is no character of the alphabet.
    static let invalid: UInt8 = 0xFF

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardCharacters = Array((common + "+/").utf8)
    private static let urlCharacters = Array((common + "-_").utf8)
    private static let standardValues = invert(standardCharacters)
    private static let urlValues = invert(urlCharacters)

    private static func invert(_ characters: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: invalid, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }
}
