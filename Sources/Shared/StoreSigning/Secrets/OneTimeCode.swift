/// The codes of an authenticator app: TOTP (RFC 6238) with SHA-1, six digits and steps of thirty seconds, which every app knows.
package struct OneTimeCode: Sendable {
    /// The bytes of a new secret: as many as SHA-1 has, which RFC 4226 recommends.
    package static let secretBytes = 20
    package static let digits = 6
    /// Seconds for which a code is shown.
    package static let step: Int64 = 30
    /// Steps before and after the present one whose codes are taken: clocks differ, and people type slowly.
    package static let tolerance: Int64 = 1

    private let secret: [UInt8]

    package init(secret: [UInt8]) {
        self.secret = secret
    }

    /// The number of the step in which a second since 1970 is.
    package static func step(at seconds: Int64) -> Int64 {
        // Before 1970 too, a step begins at its lower end.
        Int64((Double(seconds) / Double(step)).rounded(.down))
    }

    /// The code of a step.
    package func code(of step: Int64, digits: Int = Self.digits) throws -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let code = try AuthenticationCode(secret: secret, digest: .sha1).code(of: counter)
        // RFC 4226: the last four bits say where the 31 bits of the number begin.
        let offset = Int(code[code.count - 1] & 0x0F)
        let number = code[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(UInt64(1)) { product, _ in product * 10 }
        let text = String(UInt64(number) % modulus)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// The step whose code was typed, around a second since 1970 and after the step of the last code that was taken; nil if
    /// it is none of these.
    ///
    /// All codes are compared, so that the time that it takes tells nothing.
    package func step(of typed: String, at seconds: Int64, after last: Int64?) throws -> Int64? {
        let (now, typed) = (Self.step(at: seconds), Array(typed.utf8))
        var found: Int64?
        for step in (now - Self.tolerance)...(now + Self.tolerance) {
            let isSame = SecretComparison.areEqual(Array(try code(of: step).utf8), typed)
            if isSame, last.map({ step > $0 }) ?? true { found = found ?? step }
        }
        return found
    }

    /// The secret as people type it into an app that reads no pictures.
    package var secretText: String { Base32.encode(secret) }

    /// The address that an app reads from a QR code.
    ///
    /// - Parameters:
    ///   - issuer: who asks for the codes.
    ///   - account: whose they are.
    package func address(issuer: String, account: String) -> String {
        let (issuer, account) = (Self.escaped(issuer), Self.escaped(account))
        return "otpauth://totp/\(issuer):\(account)?secret=\(secretText)&issuer=\(issuer)&algorithm=SHA1"
            + "&digits=\(Self.digits)&period=\(Self.step)"
    }

    /// A text in an address; letters, digits and a few signs stand for themselves.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + Hexadecimal.encode([byte]).uppercased()
            }
        }.joined()
    }
}

/// Base32 (RFC 4648) without padding, in which secrets of authenticator apps are written.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".unicodeScalars)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        var (pending, count) = (0, 0)
        for byte in bytes {
            pending = pending << 8 | Int(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[pending >> count & 31])
            }
            pending &= (1 << count) - 1
        }
        if count > 0 { text.append(alphabet[pending << (5 - count) & 31]) }
        return String(text)
    }
}
