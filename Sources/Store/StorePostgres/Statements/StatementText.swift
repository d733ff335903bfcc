import StoreDatabase

/// A statement as PostgreSQL is given it, and how many parameters it has.
struct StatementText {
    let text: String
    let parameterCount: Int

    /// Throws if the parameters of the statement are not `$1`, `$2`… without a gap.
    init(_ text: String) throws {
        let numbers = Self.parameters(in: text)
        guard numbers == Set(1..<(numbers.count + 1)) else {
            throw DatabaseError(.statement, "a statement with \(numbers.count) parameters has $1 to $\(numbers.count)")
        }
        self.text = text
        parameterCount = numbers.count
    }

    /// Throws unless the statement has so many parameters. PostgreSQL itself would not mind some that it has not.
    func requireParameters(_ count: Int) throws {
        guard count == parameterCount else {
            throw DatabaseError(.statement, "\(count) values for \(parameterCount) parameters")
        }
    }

    /// The numbers after `$`, outside of quotes.
    private static func parameters(in text: String) -> Set<Int> {
        var numbers: Set<Int> = []
        var quote: UInt8?
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "$") {
                let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                bytes = bytes.dropFirst(digits.count)
                if let number = Int(String(decoding: digits, as: UTF8.self)) { numbers.insert(number) }
            }
        }
        return numbers
    }
}
