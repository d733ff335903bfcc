/// The help of one command, set to a width.
struct HelpText<Action: Sendable>: CustomStringConvertible {
    static var standardWidth: Int { 80 }

    let program: Program<Action>
    /// The commands from the root to the one explained.
    let path: [Command<Action>]
    private let width: Int

    init(program: Program<Action>, path: [Command<Action>], width: Int) {
        self.program = program
        self.path = path
        // Narrower text cannot be aligned; wider text is hard to read.
        self.width = min(max(width, 40), 120)
    }

    private var command: Command<Action> { path.last ?? program.root }
    private var name: String { path.map(\.name).joined(separator: " ") }

    var description: String {
        let sections: [[String]] = [
            TextColumn(width: width).lines(of: command.abstract),
            usage,
            TextColumn(width: width).paragraphs(of: command.discussion),
            subcommands,
            section("Arguments", command.arguments.map(row(of:))),
            section("Options", ordered.map(row(of:))),
            section(path.count > 1 ? "Options of every command" : "More options", commonOptions.map(row(of:))),
            examples,
            section("Exit codes", exitCodes),
            seeAlso,
        ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }
}

extension HelpText {
    private var usage: [String] {
        var pieces: [String] = []
        let optional = command.options.filter { !$0.isRequired }
        pieces += command.options.filter(\.isRequired).map { "\($0.longForm) \($0.placeholder ?? "")" }
        // A long list is shortened to one word; the section below has all of it.
        if optional.count > 6 {
            pieces.append("[OPTIONS]")
        } else {
            pieces += optional.map { option in
                let value = option.placeholder.map { " \($0)" } ?? ""
                return "[\(option.longForm)\(value)]\(option.isRepeated ? "…" : "")"
            }
        }
        if !command.subcommands.isEmpty { pieces.append(command.action == nil ? "COMMAND" : "[COMMAND]") }
        pieces += command.arguments.map { argument in
            let name = argument.takesRest ? "\(argument.name)…" : argument.name
            return argument.isRequired ? name : "[\(name)]"
        }
        let lead = "Usage: \(name)"
        let longest = pieces.map(\.count).max() ?? 0
        guard lead.count + 1 + longest <= width else {
            return [lead] + TextColumn(width: width - 4).lines(of: pieces).map { spaces(4) + $0 }
        }
        let indent = lead.count + 1
        var lines = TextColumn(width: width - indent).lines(of: pieces)
        let first = lines.isEmpty ? lead : "\(lead) \(lines.removeFirst())"
        return [first] + lines.map { spaces(indent) + $0 }
    }

    /// The options of the command: first those that are its own, then those that many commands have.
    private var ordered: [any OptionDeclaration] {
        let shared = Self.sharedNames(below: program.root)
        return command.options.filter { !shared.contains($0.name) }
            + command.options.filter { shared.contains($0.name) }
    }

    /// Options that so many commands have are not what one of them is about.
    private static var fewest: Int { 9 }

    private static func sharedNames(below root: Command<Action>) -> Set<String> {
        var counts: [String: Int] = [:]
        var rest = [root]
        while let command = rest.popLast() {
            for option in command.options { counts[option.name, default: 0] += 1 }
            rest += command.subcommands
        }
        return Set(counts.filter { $0.value >= fewest }.keys)
    }

    /// The commands below this one, by topic, with the explanations of all topics under each other.
    private var subcommands: [String] {
        let all = command.subcommands
        let topics = all.map { $0.topic ?? "Commands" }
        let indent = indent(of: all.map(\.name))
        let sections = topics.enumerated().filter { topics.firstIndex(of: $0.element) == $0.offset }.map { _, topic in
            section(
                topic, zip(all, topics).filter { $0.1 == topic }.map { ($0.0.name, $0.0.abstract) }, indent: indent)
        }
        return Array(sections.joined(separator: [""]))
    }

    private func row(of argument: any ArgumentDeclaration) -> (String, String) {
        let notes = [argument.explainedRule.map(sentence), argument.defaultText.map { "Default: \($0)." }]
        return (argument.name, ([argument.help] + notes.compactMap { $0 }).joined(separator: " "))
    }

    private func row(of option: any OptionDeclaration) -> (String, String) {
        let short = option.short.map { "-\($0), " } ?? spaces(4)
        let value = option.placeholder.map { " \($0)" } ?? ""
        let excluded = path.flatMap(\.rules).flatMap { $0.namesExcluded(by: option.name) }.map { "--\($0)" }
        let notes: [String?] = [
            option.explainedRule.map(sentence),
            option.isRequired ? "Required." : nil,
            option.isRepeated ? "May be repeated." : nil,
            excluded.isEmpty ? nil : "Not with \(excluded.joined(separator: ", ")).",
            option.defaultText.map { "Default: \($0)." },
            option.environment.map { "Environment: \($0)." },
        ]
        return ("\(short)\(option.longForm)\(value)", ([option.help] + notes.compactMap { $0 }).joined(separator: " "))
    }

    private var commonOptions: [any OptionDeclaration] {
        let hasVersion = path.count == 1 && program.version != nil
        return path.dropLast().flatMap(\.options) + [StandardOptions.help]
            + (hasVersion ? [StandardOptions.version] : [])
    }

    private var examples: [String] {
        guard !command.examples.isEmpty else { return [] }
        return ["Examples:"] + command.examples.flatMap { ["  \($0.purpose):", "    \($0.line)"] }
    }

    private var exitCodes: [(String, String)] {
        guard command.action != nil else { return [] }
        let special = Dictionary(command.exitCodes.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
        let always = [ExitCode.success, .failure, .usage].map { special[$0] ?? $0 }
        let codes = Set(always).union(command.exitCodes).sorted { $0.rawValue < $1.rawValue }
        return codes.map { code in
            let number = String(code.rawValue)
            return (spaces(max(0, 2 - number.count)) + number, (special[code] ?? code).meaning)
        }
    }

    private var seeAlso: [String] {
        var pieces = command.seeAlso
        if !command.subcommands.isEmpty { pieces.append("'\(path[0].name) help \(hint)'") }
        guard !pieces.isEmpty else { return [] }
        let listed = pieces.enumerated().map { $0.offset == pieces.count - 1 ? "\($0.element)." : "\($0.element)," }
        let lines = TextColumn(width: width - 10).lines(of: listed)
        return lines.enumerated().map { ($0.offset == 0 ? "See also: " : spaces(10)) + $0.element }
    }

    private var hint: String { (path.dropFirst().map(\.name) + ["COMMAND"]).joined(separator: " ") }

    /// Rows of a name and its explanation, the explanations under each other.
    private func section(_ title: String, _ rows: [(String, String)], indent: Int? = nil) -> [String] {
        guard !rows.isEmpty else { return [] }
        let indent = indent ?? self.indent(of: rows.map(\.0))
        let column = TextColumn(width: width - indent)
        return ["\(title):"]
            + rows.flatMap { name, text in
                var lines = column.lines(of: text)
                let lead = "  \(name)"
                guard lead.count + 2 <= indent else { return [lead] + lines.map { spaces(indent) + $0 } }
                let first = lines.isEmpty ? lead : lead + spaces(indent - lead.count) + lines.removeFirst()
                return [first] + lines.map { spaces(indent) + $0 }
            }
    }

    /// Where explanations begin: after the longest name that leaves room; longer ones have a line of their own.
    private func indent(of names: [String]) -> Int {
        let limit = width * 2 / 5
        return names.map { $0.count + 4 }.filter { $0 <= limit }.max() ?? limit / 2
    }

    private func sentence(_ rule: String) -> String { "\(rule.prefix(1).uppercased())\(rule.dropFirst())." }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}

/// Text set into lines of a width.
struct TextColumn {
    let width: Int

    /// Lines that hold as many of the pieces as fit, one space between them; a piece is never broken.
    func lines(of pieces: some Sequence<String>) -> [String] {
        var lines: [String] = []
        var line = ""
        for piece in pieces {
            if line.isEmpty {
                line = piece
            } else if line.count + 1 + piece.count <= width {
                line += " \(piece)"
            } else {
                lines.append(line)
                line = piece
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// The words of a text, wrapped.
    func lines(of text: String) -> [String] {
        lines(of: text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Paragraphs, which an empty line divides, each wrapped; an indented paragraph keeps its lines.
    func paragraphs(of text: String) -> [String] {
        var result: [String] = []
        var paragraph: [Substring] = []
        func flush() {
            guard let first = paragraph.first else { return }
            if !result.isEmpty { result.append("") }
            result += first.hasPrefix(" ") ? paragraph.map(String.init) : lines(of: paragraph.joined(separator: " "))
            paragraph = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) { flush() } else { paragraph.append(line) }
        }
        flush()
        return result
    }
}

/// Text of unknown origin, made safe for a terminal: no control characters or changes of direction, and short.
package struct PrintableText: CustomStringConvertible {
    package let description: String

    /// - Parameter limit: how many Unicode scalars are shown before the text is cut.
    package init(_ text: String, limit: Int = 80) {
        var result = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            if index == limit {
                result += "…"
                break
            }
            if Self.isHarmless(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        description = result
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
        default: true
        }
    }
}
