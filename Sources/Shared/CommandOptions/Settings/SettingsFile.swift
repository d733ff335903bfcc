/// Settings read from a file: values of options that neither the command line nor the environment gives.
///
/// ```
/// # The store of example.com
/// listen = 0.0.0.0:443
/// public-url = https://store.example.com
/// ```
///
/// A line is `name = value`, a comment that begins with `#`, or empty. The name is that of an option without its dashes;
/// the value is everything after the first `=`, without the spaces around it.
package struct SettingsFile: Sendable {
    /// One line that sets something.
    struct Entry: Sendable {
        let name: String
        let text: String
        let line: Int
    }

    package let path: String
    /// Options that it cannot set, because they say where it is.
    let reserved: Set<String>
    let entries: [Entry]

    /// Reads the bytes of a file.
    ///
    /// - Parameter reserved: the names of options that it cannot set, because they say where it is.
    /// - Throws: ``SettingsProblem`` where a line is none of the three kinds, or the file outgrows ``SettingsLimits``.
    package init(path: String, contents: some Collection<UInt8>, reserved: Set<String> = []) throws(SettingsProblem) {
        self.path = path
        self.reserved = reserved
        func problem(_ message: String, line: Int? = nil) -> SettingsProblem {
            SettingsProblem(path: path, line: line, message: message, advice: nil)
        }
        guard contents.count <= SettingsLimits.fileBytes else {
            throw problem("the file has more than \(SettingsLimits.fileBytes) bytes.")
        }
        guard let text = String(validating: contents, as: UTF8.self) else { throw problem("the file is not UTF-8.") }
        var entries: [Entry] = []
        // Scalars, not characters: a carriage return and a line feed are one character.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, scalars) in lines.enumerated() {
            let line = Self.trimmed(scalars)
            if line.isEmpty || line.first == "#" { continue }
            guard let equals = line.firstIndex(of: "=") else {
                throw problem("expected \"name = value\" or a comment that begins with #.", line: index + 1)
            }
            let name = String(Self.trimmed(line[..<equals]))
            let value = Self.trimmed(line[line.index(after: equals)...])
            guard !value.isEmpty else { throw problem("\(PrintableText(name)) has no value.", line: index + 1) }
            guard value.first != "\"" && value.first != "'" else {
                throw problem("the value of \(PrintableText(name)) is written without quotes.", line: index + 1)
            }
            entries.append(Entry(name: name, text: String(value), line: index + 1))
        }
        self.entries = entries
    }

    private static func trimmed(_ line: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard let start = line.firstIndex(where: { !isSpace($0) }), let end = line.lastIndex(where: { !isSpace($0) })
        else { return line[line.endIndex...] }
        return line[start...end]
    }
}

/// What a settings file may at most be.
package enum SettingsLimits {
    package static let fileBytes = 64 * 1024
}
