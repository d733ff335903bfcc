import Foundation

/// What the person sees.
@MainActor
package final class Screen {
    /// Whether a person is before it.
    package let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    private var isPrompting = false
    /// What moves in the last line, before the prompt.
    private var status = ""
    /// What comes on standard error while a line is awaited.
    private lazy var errors = ErrorLines { [weak self] line in self?.show(line) }

    package init() {}

    /// How many places the terminal is wide.
    package var width: Int {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Shows that a line is awaited; nothing in a pipe.
    package func prompt() {
        guard isTerminal else { return }
        isPrompting = true
        errors?.take()
        put("\(erase)\(last)")
    }

    /// The person has answered the prompt.
    package func answered() {
        if isPrompting { errors?.giveBack() }
        isPrompting = false
    }

    /// No line is awaited any more.
    package func withdraw() {
        if isPrompting { put("\r\u{1B}[K\(status)") }
        answered()
    }

    /// Shows a line; if something moves or is awaited in the last line, above that.
    package func show(_ text: String = "") { put("\(erase)\(text)\n\(last)") }

    /// Changes what moves in the last line; an empty text removes it. Nothing in a pipe.
    package func move(_ text: String) {
        guard isTerminal, text != status else { return }
        let former = erase
        status = text
        put("\(former)\(last)")
    }

    private var last: String { status + (isPrompting ? status.isEmpty ? "> " : " > " : "") }

    private var erase: String { isPrompting || !status.isEmpty ? "\r\u{1B}[K" : "" }

    private func put(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    /// Lines in which the cells of a column begin below each other.
    package static func table(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { $0.count > column ? width(of: $0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == row.count - 1
                    ? cell : cell + String(repeating: " ", count: widths[column] - width(of: cell))
            }.joined(separator: "  ")
        }
    }

    /// How many places a text takes on a terminal: the scripts of East Asia take two each.
    package static func width(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { sum, scalar in
            let isWide =
                (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xA4CF).contains(scalar.value)
                || (0xAC00...0xD7A3).contains(scalar.value) || (0xF900...0xFAFF).contains(scalar.value)
                || (0xFE30...0xFE6F).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
            return sum + (isWide ? 2 : 1)
        }
    }
}
