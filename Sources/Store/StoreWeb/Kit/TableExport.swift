import StoreFoundation
import StoreHTTP

/// The list of a page for a program: what it shows, with the exact values of dates and amounts.
struct TableExport: Hashable, Sendable {
    /// The forms in which lists are exported.
    // Closed: each has its writer.
    enum Form: String, CaseIterable, Sendable {
        case csv, json
    }

    let columns: [String]
    let rows: [[String]]
    /// The page of those that follow.
    let next: Link?

    /// The first list of a page; nil if it has none.
    init?(of pieces: [any HTML]) {
        switch Self.list(in: pieces) {
        case let empty as EmptyTable: (columns, rows) = (empty.titles, [])
        case let table as Element:
            let heading = Self.all(in: table.content) { $0.isNamed("thead") }
            columns = Self.all(in: heading) { $0.isNamed("th") }.map { Self.text(of: $0.content) }
            let body = Self.all(in: table.content) { $0.isNamed("tbody") }
            rows = Self.all(in: body) { $0.isNamed("tr") }.compactMap(Self.row)
        default: return nil
        }
        next = Self.first(in: pieces) { $0.isNamed("a") && $0["rel"] == "next" }?["href"].flatMap(Link.init(path:))
    }

    func response(as form: Form, name: String) -> HTTPResponse {
        let rest = next.map { "\($0.text)\($0.text.contains("?") ? "&" : "?")format=\(form.rawValue)" }
        var response =
            switch form {
            case .csv:
                HTTPResponse(.ok, Array(ExportedTable(columns, rows: rows).text.utf8), as: "text/csv; charset=utf-8")
            case .json: HTTPResponse(.ok, json(rest).bytes, as: "application/json")
            }
        response.fields["Content-Disposition"] = "attachment; filename=\"\(name).\(form.rawValue)\""
        response.fields["Cache-Control"] = "no-store"
        if let rest { response.fields["Link"] = "<\(rest)>; rel=\"next\"" }
        return response
    }

    private func json(_ rest: String?) -> JSONValue {
        .members([
            "items": .array(
                rows.map { row in
                    .object(zip(columns, row).map { JSONValue.Member($0, .string($1)) })
                }),
            "next": rest.map(JSONValue.string),
        ])
    }

    // MARK: Reading a page

    /// The cells of a row; nil for a heading between rows.
    private static func row(_ row: Element) -> [String]? {
        let cells = all(in: row.content) { $0.isNamed("td") || $0.isNamed("th") }
        guard !cells.contains(where: { $0["colspan"] != nil }) else { return nil }
        return cells.map { text(of: $0.content) }
    }

    /// What somebody reads, with what dates and amounts are exactly.
    private static func text(of pieces: [any HTML]) -> String {
        words(of: pieces).split { $0.isWhitespace }.joined(separator: " ")
    }

    private static func words(of pieces: [any HTML]) -> String {
        var (words, wasElement) = ("", false)
        for piece in pieces {
            // Two things beside each other are two words; a text has its own spaces.
            if wasElement, piece is Element { words += " " }
            wasElement = piece is Element
            words += Self.word(of: piece)
        }
        return words
    }

    private static func word(of piece: any HTML) -> String {
        switch piece {
        case let inner as [any HTML]: return words(of: inner)
        case let text as String: return text
        case let element as Element:
            if element.isNamed("time") { return element["datetime"] ?? words(of: element.content) }
            if element.isNamed("data") { return element["value"] ?? words(of: element.content) }
            // What is pressed, folded away or only looked at is no value.
            let isValue =
                element["aria-hidden"] == nil && !["button", "details", "form", "svg"].contains(where: element.isNamed)
            guard isValue else { return "" }
            let isLine = ["small", "p", "br", "div"].contains(where: element.isNamed)
            return (isLine ? " " : "") + words(of: element.content)
        default: return ""
        }
    }

    private static func all(in pieces: [any HTML], where isMeant: (Element) -> Bool) -> [Element] {
        pieces.flatMap { piece -> [Element] in
            if let inner = piece as? [any HTML] { return all(in: inner, where: isMeant) }
            guard let element = piece as? Element else { return [] }
            return isMeant(element) ? [element] : all(in: element.content, where: isMeant)
        }
    }

    private static func first(in pieces: [any HTML], where isMeant: (Element) -> Bool) -> Element? {
        for piece in pieces {
            if let inner = piece as? [any HTML] {
                if let found = first(in: inner, where: isMeant) { return found }
            } else if let element = piece as? Element {
                if isMeant(element) { return element }
                if let found = first(in: element.content, where: isMeant) { return found }
            }
        }
        return nil
    }

    /// The first list, with rows or without, so that no other one of the page is taken for it.
    private static func list(in pieces: [any HTML]) -> (any HTML)? {
        for piece in pieces {
            if piece is EmptyTable { return piece }
            if let element = piece as? Element, element.isNamed("table") { return element }
            let content = (piece as? [any HTML]) ?? (piece as? Element)?.content ?? []
            if let found = list(in: content) { return found }
        }
        return nil
    }
}

/// Stands where a list would if it had rows; a page shows nothing of it.
struct EmptyTable: HTML {
    let titles: [String]

    func write(to output: inout HTMLOutput) {}
}
