/// The two forms of a P-256 signature: DER, as OpenSSL and X.509 have it, and `r‖s`, as JWS has it.
enum ECDSASignature {
    static let rawByteCount = 64
    private static let integerByteCount = 32

    /// Writes `r‖s` from DER made by OpenSSL. Answers false if the DER is not two integers of at most 32 bytes.
    static func writeRaw(of der: [UInt8], into output: UnsafeMutableRawBufferPointer) -> Bool {
        guard der.count >= 2, der[0] == 0x30, Int(der[1]) == der.count - 2, output.count == rawByteCount else {
            return false
        }
        var position = 2
        for half in 0..<2 {
            guard position + 2 <= der.count, der[position] == 0x02 else { return false }
            var count = Int(der[position + 1])
            position += 2
            guard count > 0, position + count <= der.count else { return false }
            let end = position + count
            while count > 1, der[position] == 0 {
                position += 1
                count -= 1
            }
            guard count <= integerByteCount else { return false }
            let start = half * integerByteCount
            for index in 0..<(integerByteCount - count) { output[start + index] = 0 }
            for index in 0..<count { output[start + integerByteCount - count + index] = der[position + index] }
            position = end
        }
        return position == der.count
    }

    /// DER from `r‖s`.
    static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
        guard raw.count == rawByteCount else { return nil }
        var der: [UInt8] = [0x30, 0]
        der.reserveCapacity(rawByteCount + 8)
        for half in [raw[..<integerByteCount], raw[integerByteCount...]] {
            let digits = half.drop { $0 == 0 }
            let needsZero = (digits.first ?? 0x80) & 0x80 != 0
            der.append(0x02)
            der.append(UInt8(digits.count + (needsZero ? 1 : 0)))
            if needsZero { der.append(0) }
            der.append(contentsOf: digits)
        }
        der[1] = UInt8(der.count - 2)
        return der
    }
}
