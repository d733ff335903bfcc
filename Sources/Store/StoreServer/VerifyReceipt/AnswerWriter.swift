import StoreHTTP
import StoreModel

/// Writes the JSON of an answer, member by member, in the order in which they are given.
struct AnswerWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving count: Int) {
        bytes.reserveCapacity(count)
    }

    mutating func object(_ name: StaticString? = nil, _ members: (inout AnswerWriter) -> Void) {
        begin(name)
        bytes.append(UInt8(ascii: "{"))
        members(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func array(_ name: StaticString, _ elements: (inout AnswerWriter) -> Void) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        elements(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func number(_ name: StaticString, _ number: Int64) {
        begin(name)
        digits(number)
    }

    /// A number as a text; nothing for nil.
    mutating func quoted(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        begin(name)
        quote { $0.digits(number) }
    }

    mutating func flag(_ name: StaticString, _ flag: Bool) {
        begin(name)
        bytes += (flag ? "true" : "false").utf8
    }

    /// A text; nothing for nil.
    mutating func text(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        begin(name)
        quote(text)
    }

    /// A date in its three forms; nothing for nil.
    mutating func dates(_ name: StaticString, _ instant: Instant?) {
        guard let instant else { return }
        begin(name)
        quote { instant.appendGMTText(to: &$0.bytes) }
        begin(name, "_ms")
        quote { $0.digits(instant.millisecondsSinceEpoch) }
        begin(name, "_pst")
        quote { instant.appendPacificText(to: &$0.bytes) }
    }

    /// The comma, if something precedes, and the name.
    private mutating func begin(_ name: StaticString?, _ suffix: StaticString = "") {
        if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
            bytes.append(UInt8(ascii: ","))
        }
        guard let name else { return }
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        suffix.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// The marks around something in which nothing has to be escaped.
    private mutating func quote(_ content: (inout AnswerWriter) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        content(&self)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func quote(_ text: String) {
        var text = text
        let isPlain = text.withUTF8 { characters in
            let isPlain = characters.allSatisfy {
                $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
            if isPlain { quote { $0.bytes.append(contentsOf: characters) } }
            return isPlain
        }
        if !isPlain { bytes += JSONValue.string(text).bytes }
    }

    private mutating func digits(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
