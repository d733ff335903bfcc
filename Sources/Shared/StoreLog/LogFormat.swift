import StoreModel

/// How an entry is written: one line each.
// Closed: a format is code here.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For people at a window: the time of day, the message and what it is about; fields from warnings on.
    case brief
    /// For people: time, level, message, and the fields as `name=value`.
    case text
    /// For programs: an object of JSON.
    case json

    /// The line without its end. No text of an entry can end the line or control the terminal.
    package func line(of entry: LogEntry) -> String {
        switch self {
        case .brief: Self.briefLine(of: entry)
        case .text: Self.textLine(of: entry)
        case .json: Self.jsonLine(of: entry)
        }
    }
}

/// The limits of an entry.
package enum LogLimits {
    /// Unicode scalars of a text; longer ones are cut, with an ellipsis.
    package static let textScalars = 2048
}

extension LogFormat {
    private static func briefLine(of entry: LogEntry) -> String {
        var line = "\(entry.time.rfc3339Milliseconds.dropFirst(11).prefix(8))  "
        guard entry.level >= .warning else {
            return line + plain(entry.message) + (entry.what.isEmpty ? "" : " \(plain(entry.what))")
        }
        line += "\(entry.level.rawValue): \(plain(entry.message))"
        for field in entry.fields { line += " \(plain(field.name))=\(textValue(field.value))" }
        return line
    }

    private static func textLine(of entry: LogEntry) -> String {
        let level = entry.level.rawValue.uppercased()
        let padding = String(repeating: " ", count: max(0, 7 - level.count))
        var line = "\(entry.time.rfc3339Milliseconds) \(level)\(padding) \(plain(entry.message))"
        line += "  event=\(plain(entry.event))"
        for field in entry.fields { line += " \(plain(field.name))=\(textValue(field.value))" }
        return line
    }

    private static func textValue(_ value: LogValue) -> String {
        switch value {
        case .number(let number): return String(number)
        case .flag(let flag): return String(flag)
        case .text(let text):
            let plain = plain(text)
            let isWord = !plain.isEmpty && !plain.unicodeScalars.contains { $0 == " " || $0 == "\"" || $0 == "=" }
            return isWord
                ? plain
                : "\"\(plain.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\""))\""
        }
    }

    /// Text without control characters, on one line.
    private static func plain(_ text: String) -> String {
        var result = ""
        for scalar in cut(text) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func jsonLine(of entry: LogEntry) -> String {
        var members = [
            ("time", quoted(entry.time.rfc3339Milliseconds)), ("level", quoted(entry.level.rawValue)),
            ("event", quoted(entry.event)),
            ("message", quoted(entry.message)),
        ]
        // A field with one of these names would give the object two members of one name.
        let taken = Set(members.map(\.0))
        for field in entry.fields {
            members.append((taken.contains(field.name) ? "field_\(field.name)" : field.name, jsonValue(field.value)))
        }
        return "{" + members.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
    }

    private static func jsonValue(_ value: LogValue) -> String {
        switch value {
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .text(let text): quoted(text)
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in cut(text) {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            // Some readers take these for ends of lines; DEL and C1 control terminals.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let hexadecimal = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func cut(_ text: String) -> [Unicode.Scalar] {
        let scalars = text.unicodeScalars.prefix(LogLimits.textScalars + 1)
        return scalars.count > LogLimits.textScalars ? scalars.dropLast() + ["…"] : Array(scalars)
    }
}
