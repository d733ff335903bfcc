import TestSupport
import Testing

@testable import StoreSigning

/// JWS carries `r‖s`, OpenSSL reads DER: every signature passes through here.
@Suite struct ECDSASignatureTests {
    private func raw(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        [r, s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
    }

    private func writeRaw(_ der: [UInt8], room: Int = 64) -> [UInt8]? {
        var output = [UInt8](repeating: 0xEE, count: room)
        return output.withUnsafeMutableBytes { ECDSASignature.writeRaw(of: der, into: $0) } ? output : nil
    }

    private static let high = [UInt8](repeating: 0xFF, count: 32)
    private static let low = [UInt8](repeating: 0x7F, count: 32)

    // r and s as they are in the 64 bytes without leading zeros, and the DER that belongs to them.
    @Test(
        "Leading zeros and high bits are the difference between the two forms",
        arguments: [
            ([UInt8]([0x01]), [UInt8]([0x02]), "3006 020101 020102"),
            ([0x80], [0x7F], "3007 02020080 02017f"),
            ([], [0xFF], "3007 020100 020200ff"),
            ([0x01, 0x00], [0x80, 0x00], "3009 02020100 0203008000"),
            (low, low, "3044 0220" + String(repeating: "7f", count: 32) + "0220" + String(repeating: "7f", count: 32)),
            (
                high, low,
                "3045 022100" + String(repeating: "ff", count: 32) + "0220" + String(repeating: "7f", count: 32)
            ),
            (high, high, "3046" + String(repeating: "022100" + String(repeating: "ff", count: 32), count: 2)),
        ])
    func bothForms(r: [UInt8], s: [UInt8], der: String) {
        #expect(ECDSASignature.der(fromRaw: raw(r, s)) == bytes(hex: der))
        #expect(writeRaw(bytes(hex: der)) == raw(r, s))
    }

    @Test("Only 64 bytes are a raw signature", arguments: [0, 1, 32, 63, 65, 128])
    func only64Bytes(count: Int) {
        #expect(ECDSASignature.der(fromRaw: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test("DER that is not two integers of 32 bytes is not written") func derNotTwo() {
        let tooLong = DER.value(.integer, [0x01] + Self.high)
        let good = DER.value(.integer, [0x01])
        #expect(writeRaw(DER.sequence(good, good)) != nil)
        for der in [
            [], [0x30], [0x30, 0x00], DER.sequence(good), DER.sequence(good, good, good), DER.sequence(tooLong, good),
            DER.sequence(good, tooLong), DER.sequence(good, good) + [0x00], DER.sequence(good, DER.octetString([1])),
            DER.sequence(good, DER.value(.integer, [])), DER.value(.set, good + good), [0x30, 0x06, 0x02, 0x01, 1, 2],
            [0x30, 0x05, 0x02, 0x01, 0x01, 0x02, 0x05], [0x30, 0x81, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x02],
        ] {
            #expect(writeRaw(der) == nil, "\(der)")
        }
        #expect(writeRaw(DER.sequence(good, good), room: 63) == nil)
        #expect(writeRaw(DER.sequence(good, good), room: 65) == nil)
    }

    @Test("Random signatures survive both ways") func randomSignaturesSurvive() {
        var random = RandomizedRun.generator(named: "ECDSA both ways")
        for _ in 0..<RandomizedRun.cases(500) {
            // Every count of leading zeros in either half, most of them none.
            let counts = (Int.random(in: 0...32, using: &random), Int.random(in: 28...32, using: &random))
            let raw = raw(random.bytes(counts.0), random.bytes(counts.1))
            let der = ECDSASignature.der(fromRaw: raw)
            #expect(der.flatMap { writeRaw($0) } == raw)
        }
    }

    @Test("Damaged DER never writes outside its 64 bytes", .mutationTimeLimit) func damagedDERNever() {
        let genuine = DER.sequence(DER.value(.integer, [0x00] + Self.high), DER.value(.integer, Self.low))
        #expect(writeRaw(genuine) == Self.high + Self.low)
        for mutant in Mutants("ECDSA DER", of: [genuine], rounds: 3000) {
            var output = [UInt8](repeating: 0xEE, count: 96)
            let isWritten = output.withUnsafeMutableBytes {
                ECDSASignature.writeRaw(of: mutant.bytes, into: UnsafeMutableRawBufferPointer(rebasing: $0[16..<80]))
            }
            #expect(output[..<16].allSatisfy { $0 == 0xEE } && output[80...].allSatisfy { $0 == 0xEE }, "\(mutant)")
            guard isWritten else { continue }
            // What is written means the same numbers as the DER did.
            var reader = BERReader(mutant.bytes)
            var contents = try? reader.enter(.sequence, "a signature")
            for half in [output[16..<48], output[48..<80]] {
                let integer = try? contents?.next(.integer, "a number")
                let digits = integer.map { mutant.bytes[$0.content].drop { $0 == 0 } }
                #expect(digits.map(Array.init) == Array(half.drop { $0 == 0 }), "\(mutant)")
            }
        }
    }
}
