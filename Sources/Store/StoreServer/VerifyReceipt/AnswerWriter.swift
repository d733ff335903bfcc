import StoreHTTP
import StoreModel

/// Writes the JSON of an answer, member by member, in the order in which they are given.
struct AnswerWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving count: Int) {
        bytes.reserveCapacity(count)
    }

    mutating func object(_ name: StaticString? = nil, _ members: (inout AnswerWriter) -> Void) {
        stage(name) { $0.put("{") }
        members(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func array(_ name: StaticString, _ elements: (inout AnswerWriter) -> Void) {
        stage(name) { $0.put("[") }
        elements(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func number(_ name: StaticString, _ number: Int64) {
        stage(name) { $0.put(number) }
    }

    /// A number as a text; nothing for nil.
    mutating func quoted(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        stage(name) { $0.quote { $0.put(number) } }
    }

    mutating func flag(_ name: StaticString, _ flag: Bool) {
        stage(name) { $0.put(flag ? "true" : "false") }
    }

    /// A text; nothing for nil.
    mutating func text(_ name: StaticString, _ text: String?) {
        guard var text else { return }
        stage(name) { _ in }
        let isPlain = text.withUTF8 { characters in
            let isPlain = characters.allSatisfy {
                $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
            if isPlain {
                bytes.append(UInt8(ascii: "\""))
                bytes.append(contentsOf: characters)
                bytes.append(UInt8(ascii: "\""))
            }
            return isPlain
        }
        if !isPlain { bytes += JSONValue.string(text).bytes }
    }

    /// A date in its three forms; nothing for nil.
    mutating func dates(_ name: StaticString, _ instant: Instant?) {
        guard let instant else { return }
        stage(name, values: 3) { text in
            text.quote { $0.put(instant.writeGMTText) }
            text.put(byte: UInt8(ascii: ","))
            text.put(name: name, "_ms")
            text.quote { $0.put(instant.millisecondsSinceEpoch) }
            text.put(byte: UInt8(ascii: ","))
            text.put(name: name, "_pst")
            text.quote { $0.put(instant.writePacificText) }
        }
    }

    /// The comma, if something precedes, the name, and short values, which are put together before they are written.
    private mutating func stage(_ name: StaticString?, values: Int = 1, _ content: (inout StagedText) -> Void) {
        let room = values * (StagedText.valueBytes + (name?.utf8CodeUnitCount ?? 0))
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { buffer in
            guard let start = buffer.baseAddress else { return }
            var text = StagedText(start)
            if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
                text.put(byte: UInt8(ascii: ","))
            }
            if let name { text.put(name: name) }
            content(&text)
            bytes.append(contentsOf: text.written)
        }
    }
}
