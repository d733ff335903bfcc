import StoreHTTP

/// The characters of which heads are made (RFC 9110 §5).
enum FieldText {
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
        case UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }

    static func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isNameByte($0) }
    }

    /// Whether there is no control character but tabs in it.
    static func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = bytes.count
        while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[..<end])
    }

    static func string(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Compares without regard to case; `word` is in small letters.
    static func equals(_ bytes: some Sequence<UInt8>, _ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            bytes.elementsEqual(word) { byte, small in
                byte == small || (0x41...0x5A).contains(byte) && byte | 0x20 == small
            }
        }
    }

    static func equals(_ text: String, _ word: StaticString) -> Bool { equals(text.utf8, word) }

    /// A name or an address, with or without a port.
    static func isAuthority(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                isNameByte(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
            }
    }
}

/// The target of a request as it stood in the first line, and where that was.
struct TargetText: Sendable {
    let text: String
    let address: Int
    let length: Int

    init(_ pointer: UnsafePointer<CChar>) {
        text = String(cString: pointer)
        address = Int(bitPattern: pointer)
        var end = pointer
        while end.pointee != 0 { end += 1 }
        length = end - pointer
    }
}
