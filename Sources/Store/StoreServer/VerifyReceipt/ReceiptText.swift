package import StoreService
import StoreSigning

/// The Base64 of a receipt as clients send it: with line ends left in it, and spaces where a plus sign was lost.
package enum ReceiptText {
    /// The bytes of a receipt in a file: as they are, in Base64, or in the body of a request to `verifyReceipt`.
    package static func bytes(ofFile content: [UInt8]) throws(ReceiptRefusal) -> [UInt8] {
        let start = content.first { !isSkipped($0) && $0 != space }
        guard let start else { throw ReceiptRefusal(.malformed, "there is nothing in it") }
        if content[0] == derSequence { return content }
        if start == UInt8(ascii: "{") { return (try? VerificationRequest(body: content).receipt) ?? content }
        return try decode(content[...])
    }

    private static let derSequence: UInt8 = 0x30

    /// The bytes, or what is wrong with the text.
    static func decode(_ text: ArraySlice<UInt8>) throws(ReceiptRefusal) -> [UInt8] {
        if let bytes = text.withUnsafeBytes({ Base64.decode($0) }) {
            guard !bytes.isEmpty else { throw refusal("is empty") }
            return bytes
        }
        if let mended = mend(text), let bytes = mended.withUnsafeBytes({ Base64.decode($0) }), !bytes.isEmpty {
            return bytes
        }
        throw refusal(reason(text))
    }

    /// Without line ends and tabs, and with plus signs for the spaces within; nil if there is nothing of that.
    private static func mend(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let lines = text.filter { !isSkipped($0) }
        guard lines.first != space, lines.last != space else { return nil }
        return lines.map { $0 == space ? UInt8(ascii: "+") : $0 }
    }

    private static let space = UInt8(ascii: " ")

    private static func isSkipped(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0x09 }

    private static func refusal(_ what: String) -> ReceiptRefusal {
        ReceiptRefusal(.malformed, "receipt-data: \(what)")
    }

    /// What keeps the text from being Base64.
    private static func reason(_ text: ArraySlice<UInt8>) -> String {
        let characters = text.filter { !isSkipped($0) }
        guard let first = characters.first, let last = characters.last else { return "is empty" }
        if first == space { return "it begins with a space" }
        if last == space { return "it ends with a space" }
        if let foreign = text.firstIndex(where: { !isSkipped($0) && $0 != space && !isBase64($0) }) {
            let place = "character \(foreign - text.startIndex + 1) is \(name(text[foreign])), which is not Base64"
            return place + hint(text[foreign], characters)
        }
        if let padding = characters.firstIndex(of: UInt8(ascii: "=")),
            characters[padding...].contains(where: { $0 != UInt8(ascii: "=") }) || characters.count - padding > 2
        {
            return "there is more behind the '=' that ends it"
        }
        if characters.count % 4 != 0 {
            return "it has \(characters.count) characters, which is no multiple of 4: its end or its padding is missing"
        }
        return "its last character has bits that belong to no byte"
    }

    /// What the mistake probably is.
    private static func hint(_ byte: UInt8, _ text: [UInt8]) -> String {
        switch byte {
        case UInt8(ascii: "%"): "; it seems to be URL-encoded"
        case UInt8(ascii: "-"), UInt8(ascii: "_"): "; this is the alphabet of Base64 for URLs"
        case UInt8(ascii: ".") where text.starts(with: "eyJ".utf8): "; it seems to be a JWS, which is no receipt"
        case UInt8(ascii: "{"), UInt8(ascii: "<"): "; it seems not to be encoded at all"
        default: ""
        }
    }

    private static func name(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? "'\(Unicode.Scalar(byte))'" : "the byte 0x" + Hexadecimal.encode([byte])
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
