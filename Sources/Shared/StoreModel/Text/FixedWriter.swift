/// Writes digits and ASCII characters into the bytes of a string of known size.
struct FixedWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    /// Writes one ASCII character.
    mutating func put(_ character: Unicode.Scalar) {
        buffer[count] = UInt8(truncatingIfNeeded: character.value)
        count += 1
    }

    /// Writes ASCII characters as they are.
    mutating func put(_ characters: UnsafeBufferPointer<UInt8>) {
        for character in characters {
            buffer[count] = character
            count += 1
        }
    }

    /// Writes a number with leading zeros.
    mutating func put(_ number: Int, digits: Int) {
        var number = number
        for position in stride(from: count + digits - 1, through: count, by: -1) {
            buffer[position] = UInt8(truncatingIfNeeded: 0x30 + number % 10)
            number /= 10
        }
        count += digits
    }

    /// Writes a byte as two hexadecimal digits, in lower case.
    mutating func put(hexadecimal byte: UInt8) {
        for digit in [byte >> 4, byte & 0xF] {
            buffer[count] = digit < 10 ? 0x30 + digit : 0x61 + digit - 10
            count += 1
        }
    }

    /// Writes a separator and a number of two digits.
    mutating func put(_ separator: Unicode.Scalar, _ number: Int) {
        put(separator)
        put(number, digits: 2)
    }
}
