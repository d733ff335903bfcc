import StoreSigning
import TestSupport
import Testing

@Suite("Codes of authenticator apps", .bounded)
struct OneTimeCodeTests {
    private static let secret = Array("12345678901234567890".utf8)
    private static let code = OneTimeCode(secret: secret)

    @Test(
        "X14: The codes are those of RFC 6238",
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(Int64, String)])
    func vectors(seconds: Int64, expected: String) throws {
        let step = OneTimeCode.step(at: seconds)
        #expect(try Self.code.code(of: step, digits: 8) == expected)
        #expect(try Self.code.code(of: step) == expected.suffix(6), "six digits are the last of eight")
    }

    @Test("A code is taken one step before and after its own, and no further")
    func tolerance() throws {
        let step = OneTimeCode.step(at: 1_234_567_890)
        let typed = try Self.code.code(of: step)
        for distance in -2...2 as ClosedRange<Int64> {
            let found = try Self.code.step(of: typed, at: (step + distance) * OneTimeCode.step, after: nil)
            #expect(found == (abs(distance) <= 1 ? step : nil), "\(distance)")
        }
    }

    @Test("A code counts once, and none before it any more")
    func once() throws {
        let now: Int64 = 1_234_567_890
        let step = OneTimeCode.step(at: now)
        let (former, present) = (try Self.code.code(of: step - 1), try Self.code.code(of: step))
        #expect(try Self.code.step(of: present, at: now, after: step - 1) == step)
        #expect(try Self.code.step(of: present, at: now, after: step) == nil)
        #expect(try Self.code.step(of: former, at: now, after: step) == nil)
    }

    @Test("What is no code is none", arguments: ["", "94287082", "287 082", "２８７０８２", "abcdef"])
    func noCode(typed: String) throws {
        #expect(try Self.code.step(of: typed, at: 59, after: nil) == nil)
    }

    @Test(
        "Base32 is that of RFC 4648, without padding",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func base32(plain: String, encoded: String) {
        #expect(Base32.encode(Array(plain.utf8)) == encoded)
    }

    @Test("The address names issuer, account and secret, and nothing of a name becomes a part of it")
    func address() {
        let address = Self.code.address(issuer: "Till & Co", account: "ada+x@example.com")
        #expect(
            address == "otpauth://totp/Till%20%26%20Co:ada%2Bx%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=Till%20%26%20Co&algorithm=SHA1&digits=6&period=30")
    }
}
