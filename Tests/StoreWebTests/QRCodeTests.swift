import Testing

@testable import StoreWeb

/// Whether other programs read the picture is tried with `zbarimg` in the conformance tests.
@Suite("QR codes")
struct QRCodeTests {
    @Test("Three corners have the pattern by which readers find it")
    func corners() throws {
        let code = try #require(QRCode("otpauth://totp/Till:ada%40example.com?secret=GEZDGNBV"))
        #expect((code.size - 17) % 4 == 0 && code.size >= 21)
        for (top, left) in [(0, 0), (0, code.size - 7), (code.size - 7, 0)] {
            for row in 0..<7 {
                for column in 0..<7 {
                    // A dark square in a light ring in a dark ring.
                    let ring = max(abs(row - 3), abs(column - 3))
                    #expect(code.isDark(top + row, left + column) == (ring != 2), "\(row), \(column)")
                }
            }
        }
    }

    @Test("A longer text has more modules, and what is empty or too long is none")
    func lengths() throws {
        let short = try #require(QRCode("a"))
        let long = try #require(QRCode(String(repeating: "a", count: QRCode.longest)))
        #expect(short.size == 21 && long.size > short.size)
        #expect(QRCode("") == nil && QRCode(String(repeating: "a", count: QRCode.longest + 1)) == nil)
    }

    @Test("The picture has a light margin and no module outside")
    func picture() throws {
        let code = try #require(QRCode("a"))
        var output = HTMLOutput()
        code.element("A code").write(to: &output)
        let text = String(decoding: output.bytes, as: UTF8.self)
        #expect(text.hasPrefix("<svg class=\"qr\" viewBox=\"0 0 29 29\" role=\"img\" aria-label=\"A code\">"))
        #expect(text.contains("<rect x=\"4\" y=\"4\" width=\"7\" height=\"1\">"), "the first row of a corner")
        #expect(!text.contains("x=\"25\""), "a margin of four")
    }
}
