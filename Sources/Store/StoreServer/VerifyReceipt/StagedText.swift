import StoreModel

/// A few bytes of JSON on the stack: names, marks, numbers and dates, whose length is bounded.
struct StagedText {
    /// What a value takes at most, with its marks, a comma, and what stands around its name.
    static let valueBytes = Instant.textBytes + 16

    private let start: UnsafeMutablePointer<UInt8>
    private var count = 0

    init(_ start: UnsafeMutablePointer<UInt8>) {
        self.start = start
    }

    var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    mutating func put(byte: UInt8) {
        start[count] = byte
        count += 1
    }

    mutating func put(_ characters: StaticString) {
        (start + count).update(from: characters.utf8Start, count: characters.utf8CodeUnitCount)
        count += characters.utf8CodeUnitCount
    }

    /// A name in its marks, and the colon.
    mutating func put(name: StaticString, _ suffix: StaticString = "") {
        put(byte: UInt8(ascii: "\""))
        put(name)
        put(suffix)
        put(byte: UInt8(ascii: "\""))
        put(byte: UInt8(ascii: ":"))
    }

    /// The marks around something in which nothing has to be escaped.
    mutating func quote(_ content: (inout StagedText) -> Void) {
        put(byte: UInt8(ascii: "\""))
        content(&self)
        put(byte: UInt8(ascii: "\""))
    }

    /// What `write` leaves in the memory it is given, which is room for a date.
    mutating func put(_ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        count += write(UnsafeMutableBufferPointer(start: start + count, count: Instant.textBytes))
    }

    mutating func put(_ number: Int64) {
        if number < 0 { put(byte: UInt8(ascii: "-")) }
        var (rest, digits) = (number.magnitude, 1)
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        rest = number.magnitude
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
    }
}
