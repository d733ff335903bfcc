/// A text as a shell takes it for one word.
enum ShellWord {
    /// A text that is one line; what is broken over lines is put on one, as pages show commands on one.
    static func quoted(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let isPlain =
            !line.isEmpty && line.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-@_".contains($0)) }
        return isPlain ? line : "'" + line.replacing("'", with: #"'\''"#) + "'"
    }
}
