import Foundation

/// What the person sees.
@MainActor
final class Screen {
    private let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    private var isPrompting = false

    /// Shows that a line is awaited; nothing in a pipe.
    func prompt() {
        guard isTerminal else { return }
        isPrompting = true
        put("> ")
    }

    /// The person has answered the prompt.
    func answered() { isPrompting = false }

    /// No line is awaited any more.
    func withdraw() {
        if isPrompting { put("\r\u{1B}[K") }
        isPrompting = false
    }

    /// Shows a line; if the person is before the prompt, above it.
    func show(_ text: String = "") {
        if isPrompting {
            put("\r\u{1B}[K\(text)\n> ")
        } else {
            put("\(text)\n")
        }
    }

    private func put(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    /// Lines in which the cells of a column begin below each other.
    static func table(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { $0.count > column ? width($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == row.count - 1
                    ? cell : cell + String(repeating: " ", count: widths[column] - width(cell))
            }.joined(separator: "  ")
        }
    }

    /// How many places a text takes on a terminal: the scripts of East Asia take two each.
    private static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { sum, scalar in
            let isWide =
                (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xA4CF).contains(scalar.value)
                || (0xAC00...0xD7A3).contains(scalar.value) || (0xF900...0xFAFF).contains(scalar.value)
                || (0xFE30...0xFE6F).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
            return sum + (isWide ? 2 : 1)
        }
    }
}
