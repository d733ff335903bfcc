import StoreHTTP
import StoreModel

/// Writes the JSON of an answer, member by member, in the order in which they are given.
///
/// A member's name and a value of bounded length are appended in one step, to memory that is reserved for them: an
/// `OutputSpan` checks every byte against its end. Texts of any length are appended by the array itself.
struct AnswerWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving count: Int) {
        bytes.reserveCapacity(count)
    }

    mutating func object(_ name: StaticString? = nil, _ members: (inout AnswerWriter) -> Void) {
        append(name) { $0.append(UInt8(ascii: "{")) }
        members(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func array(_ name: StaticString, _ elements: (inout AnswerWriter) -> Void) {
        append(name) { $0.append(UInt8(ascii: "[")) }
        elements(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func number(_ name: StaticString, _ number: Int64) {
        append(name) { $0.put(number) }
    }

    /// A number as a text; left out if it is nil.
    mutating func quoted(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        append(name) { $0.quote { $0.put(number) } }
    }

    mutating func flag(_ name: StaticString, _ flag: Bool) {
        append(name) { $0.put(flag ? "true" : "false") }
    }

    /// An array of texts.
    mutating func texts(_ name: StaticString, _ texts: [String]) {
        array(name) { writer in for text in texts { writer.text(nil, text) } }
    }

    /// A text; left out if it is nil. One in an array has no name.
    mutating func text(_ name: StaticString?, _ text: String?) {
        guard var text else { return }
        append(name) { _ in }
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

    /// A date in its three forms; left out if it is nil.
    mutating func dates(_ name: StaticString, _ instant: Instant?) {
        guard let instant else { return }
        append(name, values: 3) { output in
            output.quote { $0.put(instant.writeGMTText) }
            output.append(UInt8(ascii: ","))
            output.put(name: name, "_ms")
            output.quote { $0.put(instant.millisecondsSinceEpoch) }
            output.append(UInt8(ascii: ","))
            output.put(name: name, "_pst")
            output.quote { $0.put(instant.writePacificText) }
        }
    }

    /// What a value of bounded length takes at most, with its quotation marks, a comma, and what stands around its name.
    private static let valueBytes = Instant.textBytes + 16

    /// The comma, if something precedes, the name, and values of bounded length.
    private mutating func append(
        _ name: StaticString?, values: Int = 1, _ content: (inout OutputSpan<UInt8>) -> Void
    ) {
        let last = bytes.last ?? UInt8(ascii: "{")
        let follows = last != UInt8(ascii: "{") && last != UInt8(ascii: "[")
        bytes.append(addingCapacity: values * (Self.valueBytes + (name?.utf8CodeUnitCount ?? 0))) { output in
            if follows { output.append(UInt8(ascii: ",")) }
            if let name { output.put(name: name) }
            content(&output)
        }
    }
}

/// Each of these ends the process where the span has no room left, and writes nothing outside of it.
extension OutputSpan<UInt8> {
    fileprivate mutating func put(_ characters: StaticString) {
        characters.withUTF8Buffer { for character in $0 { append(character) } }
    }

    /// A name in quotation marks, and the colon.
    fileprivate mutating func put(name: StaticString, _ suffix: StaticString = "") {
        quote {
            $0.put(name)
            $0.put(suffix)
        }
        append(UInt8(ascii: ":"))
    }

    /// Quotation marks around something in which nothing has to be escaped.
    fileprivate mutating func quote(_ content: (inout OutputSpan<UInt8>) -> Void) {
        append(UInt8(ascii: "\""))
        content(&self)
        append(UInt8(ascii: "\""))
    }

    /// The text of an instant.
    fileprivate mutating func put(_ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        withUnsafeMutableBufferPointer { buffer, count in
            // Safe: the text of an instant has at most this many bytes, and they are there.
            precondition(buffer.count - count >= Instant.textBytes)
            count += write(UnsafeMutableBufferPointer(rebasing: buffer[count...].prefix(Instant.textBytes)))
        }
    }

    fileprivate mutating func put(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var (rest, start) = (number.magnitude, digits.count)
        repeat {
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        for place in start..<digits.count { append(digits[place]) }
    }
}
