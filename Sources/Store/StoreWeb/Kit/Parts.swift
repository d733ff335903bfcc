import Foundation
import StoreModel
import StoreService

// Small parts that many pages have.

/// How something stands, in a word with a shape and a colour.
enum Mood: String {
    case good, warn, bad, calm
}

func tag(_ mood: Mood, _ text: String) -> Element { span(.class("tag \(mood.rawValue)")) { text } }

/// A button that copies a text, where the script runs.
func copyButton(_ text: String) -> Element { button(.class("copy"), .type("button"), .copies(text)) { "copy" } }

/// One command or request, ready to be copied.
func commandLine(_ text: String) -> Element {
    div(.class("line")) {
        pre(.isFocusable, .label("Command")) { text }
        copyButton(text)
    }
}

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

/// A number or another name, ready to be copied.
func name(_ text: some CustomStringConvertible) -> [any HTML] {
    [span(.class("id")) { text.description }, " ", copyButton(text.description)]
}

/// A name with dots, which narrow places break after them.
func dotted(_ text: String) -> [any HTML] { parted(text, after: ".") }

/// A name of parts, which narrow places break after what is between them.
func parted(_ text: String, after separator: Character) -> [any HTML] {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    return parts.enumerated().flatMap { index, part -> [any HTML] in
        index + 1 < parts.count ? ["\(part)\(separator)", wbr()] : [String(part)]
    }
}

/// A button behind a question, for what cannot be undone: what will happen, and the form that does it.
func asking(_ text: String, _ consequence: String, @HTMLBuilder form: () -> [any HTML]) -> Element {
    let form = form()
    return details(.class("asking")) {
        summary(.class("button")) { text }
        p { consequence }
        form
    }
}

/// A secret that is shown once.
func once(_ sentence: String, _ secret: String) -> Element {
    section(.class("card told-card"), .role("status")) {
        p { sentence }
        div(.class("line")) {
            pre(.isFocusable, .label("Secret")) { secret }
            copyButton(secret)
        }
    }
}

/// How long ago something was, or how long it is until then; exactly, when one points at it.
func ago(_ instant: Instant, _ now: Instant) -> Element {
    let seconds = (now.millisecondsSinceEpoch - instant.millisecondsSinceEpoch) / 1000
    let text =
        switch seconds {
        case ..<(-14 * 86_400): "on \(instant.rfc3339.prefix(10))"
        case ..<(-86_400): "in \(-seconds / 86_400) d"
        case ..<(-3600): "in \(-seconds / 3600) h"
        case ..<(-60): "in \(-seconds / 60) min"
        case ..<10: "now"
        case ..<60: "\(seconds) s ago"
        case ..<3600: "\(seconds / 60) min ago"
        case ..<86_400: "\(seconds / 3600) h ago"
        case ..<(14 * 86_400): "\(seconds / 86_400) d ago"
        default: String(instant.rfc3339.prefix(10))
        }
    return time(.dateTime(instant.rfc3339), .title(instant.rfc3339Milliseconds)) { text }
}

/// An instant to the minute, in GMT; exactly, when one points at it.
func minute(_ instant: Instant) -> Element {
    time(.dateTime(instant.rfc3339), .title(instant.rfc3339Milliseconds)) {
        String(instant.rfc3339.prefix(16)).replacing("T", with: " ")
    }
}

/// The time of a day, in GMT; the whole instant for an export and where one points at it.
func clockTime(_ instant: Instant) -> Element {
    time(.dateTime(instant.rfc3339), .title("\(instant.rfc3339Milliseconds.replacing("T", with: " ").dropLast()) UTC"))
    {
        String(instant.rfc3339.dropFirst(11).prefix(8))
    }
}

/// The headings of a list by days: above each row that begins another day than the one before it.
func dayHeadings(_ instants: [Instant]) -> [Int: String] {
    var (headings, last): ([Int: String], ReportDay?) = ([:], nil)
    for (place, instant) in instants.enumerated() {
        let day = ReportDay(instant)
        if day != last { headings[place] = "\(day.weekday) \(day)" }
        last = day
    }
    return headings
}

extension Instant {
    /// As pages write a moment within a sentence: to the minute.
    var written: String { "\(rfc3339.prefix(10)) \(rfc3339.dropFirst(11).prefix(5)) UTC" }
    /// The same of a clock, to the second.
    var writtenExactly: String { "\(rfc3339.prefix(10)) \(rfc3339.dropFirst(11).prefix(8)) UTC" }
}

/// The names and values of one thing.
func facts(_ entries: [(name: String, value: [any HTML])]) -> Element {
    dl(.class("facts")) {
        for entry in entries {
            dt { entry.name }
            dd { entry.value }
        }
    }
}

func card(_ heading: String, @HTMLBuilder _ content: () throws -> [any HTML]) rethrows -> Element {
    let content = try content()
    return section(.class("card")) {
        div(.class("in")) {
            h2 { heading }
            content
        }
    }
}

/// A list of things, a row each, and the way to those that follow.
struct DataTable {
    struct Column {
        let title: String
        /// The class of its cells: `num` for amounts, `opt` for what narrow windows leave out.
        var kind: String?
        /// Nil where the list cannot be sorted by it.
        var sorting: Sorting?

        static func text(_ title: String, _ sorting: Sorting? = nil) -> Column {
            Column(title: title, sorting: sorting)
        }
        static func amount(_ title: String, _ sorting: Sorting? = nil) -> Column {
            Column(title: title, kind: "num", sorting: sorting)
        }
        static func optional(_ title: String, _ sorting: Sorting? = nil) -> Column {
            Column(title: title, kind: "opt", sorting: sorting)
        }

        /// Its heading, a link where the list can be sorted by it.
        fileprivate var heading: Element {
            th(.scope("col"), kind.map { .class($0) }, sorting?.isDescending.map { .sorted(isDescending: $0) }) {
                if let sorting {
                    a(.class("sort"), .href(sorting.link)) {
                        title
                        if let isDescending = sorting.isDescending {
                            span(.isHidden) { isDescending ? " ↓" : " ↑" }
                        }
                    }
                } else {
                    title
                }
            }
        }
    }

    /// How a list is sorted by a column.
    struct Sorting {
        /// The list in the other order, or in that of this column.
        let link: Link
        /// Which way it is sorted by it now; nil where it is sorted by another.
        let isDescending: Bool?
    }

    let title: String
    let columns: [Column]
    let rows: [[[any HTML]]]
    /// What there is to say where there are none.
    let empty: [any HTML]
    /// The page of those that follow.
    var next: Link?
    /// What leads there.
    var nextText = "Further ones"
    /// Whether the link in the first cell of a row is that of the whole row.
    var isOfLinks = false
    /// What stands above some of the rows, by their places: their day.
    var headings: [Int: String] = [:]

    var element: [any HTML] {
        guard !rows.isEmpty else {
            return [div(.class("card empty")) { empty }, EmptyTable(titles: columns.map(\.title))] + following
        }
        return [
            div(.class("card scroll")) {
                table(isOfLinks ? .class("rows") : nil) {
                    caption(.class("unseen")) { title }
                    thead {
                        tr {
                            for column in columns { column.heading }
                        }
                    }
                    tbody {
                        for (index, row) in rows.enumerated() {
                            if let heading = headings[index] {
                                tr(.class("day")) {
                                    th(.columns(columns.count), .scope("rowgroup")) { heading }
                                }
                            }
                            tr {
                                for (cell, column) in zip(row, columns) {
                                    td(column.kind.map { .class($0) }) { cell }
                                }
                            }
                        }
                    }
                }
            }
        ] + following
    }
}

extension DataTable {
    private var following: [any HTML] {
        guard let next else { return [] }
        return [p(.class("more-rows")) { a(.class("button"), .href(next), .rel("next")) { nextText } }]
    }
}

/// A small picture of a row of numbers, with the words that say the same.
func sparkline(_ numbers: [Int], _ words: String) -> Element {
    let top = max(1, numbers.max() ?? 1)
    let step = numbers.count > 1 ? 120.0 / Double(numbers.count - 1) : 0
    let points = numbers.enumerated().map { index, number in
        "\(Int(Double(index) * step)),\(30 - number * 28 / top)"
    }
    return svg(.viewBox("0 0 120 32"), .isStretched, .role("img"), .label(words)) {
        polyline(.points(points.joined(separator: " ")))
    }
}

extension String {
    /// The same with a capital letter at its beginning.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
