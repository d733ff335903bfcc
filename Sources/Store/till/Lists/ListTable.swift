import CommandOptions
import StoreFoundation
import StoreServer

/// A list as people read it in a terminal: a heading above each column, and the newest row last.
///
/// Every list of `till` is one of these, so that all of them look alike. Programs read `--json`.
struct ListTable<Row> {
    private let columns: [ListColumn<Row>]

    init(_ columns: ListColumn<Row>...) {
        self.columns = columns
    }

    /// The heading and a line for each row. A column in which no row has anything is left out.
    func lines(_ rows: [Row], _ style: ListStyle) -> [String] {
        let shown = columns.filter { style.isVerbose || !$0.isDetail }
            .map { column in (column: column, words: rows.map(column.word)) }
            .filter { $0.words.contains { !$0.text.isEmpty } }
        guard !shown.isEmpty else { return [] }
        var widths = shown.map { column, words in
            ([column.heading] + words.map(\.text)).map(TerminalWidth.of).max() ?? 0
        }
        fit(&widths, of: shown.map(\.column), into: style.width)
        func line(_ words: [ListWord]) -> String {
            var line = ""
            for (index, word) in words.enumerated() {
                let text = TerminalWidth.cut(word.text, to: widths[index])
                let space = String(repeating: " ", count: widths[index] - TerminalWidth.of(text))
                let isLast = index == words.count - 1
                let coloured = style.hasColour ? word.tone.paint(text) : text
                line += shown[index].column.isNumber ? space + coloured : coloured + (isLast ? "" : space)
                if !isLast { line += Self.gap }
            }
            // Where the last columns have nothing the line ends earlier.
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        let heading = line(shown.map { ListWord($0.column.heading, .heading) })
        return [heading] + rows.indices.map { row in line(shown.map { $0.words[row] }) }
    }

    /// Every column and row in full.
    func commas(_ rows: [Row]) -> ExportedTable {
        ExportedTable(
            columns.map { $0.heading.lowercased().replacing(" ", with: "_") },
            rows: rows.map { row in columns.map { $0.word(row).text } })
    }

    /// Narrows the columns of free text, the widest first, until a line fits or they are as narrow as is of use.
    private func fit(_ widths: inout [Int], of columns: [ListColumn<Row>], into width: Int?) {
        guard let width else { return }
        var excess = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - width
        while excess > 0 {
            let flexible = widths.indices.filter { columns[$0].isFlexible && widths[$0] > Self.narrowest }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }

    private static var gap: String { "  " }
    private static var narrowest: Int { 12 }
}

/// A column of a list: its heading, and what it says of a row.
struct ListColumn<Row> {
    let heading: String
    /// Whether it is shown with `--verbose` only.
    private(set) var isDetail = false
    private(set) var isNumber = false
    /// Whether it may be narrowed, which cuts what it says.
    private(set) var isFlexible = false
    let word: (Row) -> ListWord

    private init(_ heading: String, word: @escaping (Row) -> ListWord) {
        self.heading = heading
        self.word = word
    }

    /// What a row is named by where another command needs it, a date, a word of ours.
    static func value(_ heading: String, _ text: @escaping (Row) -> String?) -> ListColumn {
        ListColumn(heading) { ListWord(PrintableText(text($0) ?? "", limit: 400).description) }
    }

    /// Free text, which is cut where the terminal is narrow.
    static func text(_ heading: String, _ text: @escaping (Row) -> String?) -> ListColumn {
        var column = value(heading, text)
        column.isFlexible = true
        return column
    }

    /// An amount or a number, which stands to the right.
    static func number(_ heading: String, _ text: @escaping (Row) -> String?) -> ListColumn {
        var column = value(heading, text)
        column.isNumber = true
        return column
    }

    /// An id that people seldom need: shown with `--verbose`.
    static func id(_ heading: String, _ text: @escaping (Row) -> String?) -> ListColumn {
        var column = value(heading, text)
        column.isDetail = true
        return column
    }

    /// How a row stands, in a colour that says whether that is well.
    static func state(_ heading: String, _ word: @escaping (Row) -> ListWord) -> ListColumn {
        ListColumn(heading, word: word)
    }
}

/// What a column says of a row.
struct ListWord: Hashable {
    let text: String
    let tone: Tone

    init(_ text: String, _ tone: Tone = .plain) {
        self.text = text
        self.tone = tone
    }

    enum Tone: Hashable {
        case plain
        case heading
        /// It is as it should be.
        case good
        /// It waits for somebody.
        case waiting
        /// It went wrong, or was taken back.
        case bad

        func paint(_ text: String) -> String {
            let code: String? =
                switch self {
                case .plain: nil
                case .heading: "1"
                case .good: "32"
                case .waiting: "33"
                case .bad: "31"
                }
            guard let code, !text.isEmpty else { return text }
            return "\u{1B}[\(code)m\(text)\u{1B}[0m"
        }
    }
}

/// How a list is set.
struct ListStyle {
    /// Whether ids are shown too.
    var isVerbose = false
    var hasColour = false
    /// The columns of the terminal; nil if it is none, and lines are as long as they are.
    var width: Int?
}

/// How many columns of a terminal a text takes.
enum TerminalWidth {
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    /// The beginning of a text that is longer than a width, with a mark at its end.
    static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        var (result, rest) = ("", width - 1)
        for character in text {
            rest -= of(character)
            if rest < 0 { break }
            result.append(character)
        }
        return result + "…"
    }

    private static func of(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The scalars of East Asian scripts and pictures, which take two columns each.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}

/// The options of every command that lists.
enum ListOptions {
    static let verbose = Option<Bool>.flag("verbose", help: "Show ids and more columns.")

    static let csv = Option<Bool>.flag("csv", help: "Print a table with commas, for a spreadsheet.")

    static let all: [any OptionDeclaration] = [verbose, csv, StandardOptions.json]

    /// The same commands; of those that print a list as a table with commas and as JSON one form is asked for.
    static func ruled(_ commands: [Command<TillProgram.Action>]) -> [Command<TillProgram.Action>] {
        commands.map { command in
            var command = command
            let names = Set(command.options.map(\.name))
            if names.contains(csv.name), names.contains(StandardOptions.json.name), command.rules.isEmpty {
                command.rules = [.atMostOne(csv, StandardOptions.json)]
            }
            command.subcommands = ruled(command.subcommands)
            return command
        }
    }

    /// Whether a command is to print its list as a table with commas.
    static func areCommasWanted(_ arguments: ParsedArguments) -> Bool {
        arguments.declares(csv) && arguments[csv]
    }
}

extension CommandContext {
    /// Prints a list, or says on standard error that there is nothing in it.
    ///
    /// - Parameter nothing: the sentence for a list without rows, with what to do about it.
    func printList<Row>(
        _ rows: [Row], as table: ListTable<Row>, _ arguments: ParsedArguments, nothing: String
    ) {
        if ListOptions.areCommasWanted(arguments) { return write(Array(table.commas(rows).text.utf8)) }
        printLines(rows, as: table, arguments, nothing: nothing)
    }

    private func printLines<Row>(
        _ rows: [Row], as table: ListTable<Row>, _ arguments: ParsedArguments, nothing: String
    ) {
        guard !rows.isEmpty else { return printError(nothing) }
        let isVerbose = arguments.declares(ListOptions.verbose) && arguments[ListOptions.verbose]
        let style = ListStyle(isVerbose: isVerbose, hasColour: hasColour, width: outputWidth)
        for line in table.lines(rows, style) { print(line) }
    }

    /// The same of what the store answers: with commas it has every value of it, under the names of JSON.
    func printList<Row: Codable>(
        _ rows: [Row], as table: ListTable<Row>, _ arguments: ParsedArguments, nothing: String
    ) {
        if ListOptions.areCommasWanted(arguments) {
            let commas = (try? ListExport.table(rows)) ?? table.commas(rows)
            return write(Array(commas.text.utf8))
        }
        printLines(rows, as: table, arguments, nothing: nothing)
    }

    /// Whether what is printed may have colours: on a terminal that has them, unless NO_COLOR is set.
    var hasColour: Bool {
        outputIsTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}
