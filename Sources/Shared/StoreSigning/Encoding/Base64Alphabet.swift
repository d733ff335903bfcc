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

    /// What each of the 256 bytes adds to the three bytes of a group, as the first of its characters, the second, the third,
    /// the fourth; the first of the three bytes is the lowest.
    var shares: [UInt32] {
        switch self {
        case .standard: Self.standardShares
        case .url: Self.urlShares
        }
    }

    /// The share of a byte that is no character of the alphabet: bits that no character has.
    private static let foreign: UInt32 = 0xFF00_0000

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardCharacters = Array((common + "+/").utf8)
    private static let urlCharacters = Array((common + "-_").utf8)
    private static let standardShares = shares(of: standardCharacters)
    private static let urlShares = shares(of: urlCharacters)

    private static func shares(of characters: [UInt8]) -> [UInt32] {
        var shares = [UInt32](repeating: foreign, count: 4 * 256)
        for (number, character) in characters.enumerated() {
            let value = UInt32(number)
            // Six bits each, of which the second and the third are divided between two bytes.
            let parts = [
                value << 2, value >> 4 | (value & 0xF) << 12, (value >> 2) << 8 | (value & 0x3) << 22, value << 16,
            ]
            for (place, part) in parts.enumerated() { shares[place * 256 + Int(character)] = part }
        }
        return shares
    }
}
