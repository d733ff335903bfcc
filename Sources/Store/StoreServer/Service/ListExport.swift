import Foundation
package import StoreFoundation
package import StoreHTTP
import StoreModel

/// A list as a table for a spreadsheet: the same rows, with a column for each value of an item.
package struct ListExport: Sendable {
    private let columns: [SchemaColumn]

    /// How deep the values of lists may lie within each other.
    private static let depth = 32

    /// - Parameter item: what the list has.
    package init(of item: JSONSchema) {
        columns = item.columns
    }

    /// Of the items of a page, which is JSON.
    package func table(_ page: [UInt8]) throws -> ExportedTable {
        try table((JSONNode(page, depth: Self.depth).members["items"] ?? .null).nodes)
    }

    /// Of items that a command has.
    package static func table<Item: Codable>(_ items: [Item]) throws -> ExportedTable {
        let bytes = Array(try JSONEncoder().encode(items))
        return try ListExport(of: .of(Item.self)).table(JSONNode(bytes, depth: depth).nodes)
    }

    private func table(_ items: [JSONNode]) throws -> ExportedTable {
        ExportedTable(
            columns.map(\.name),
            rows: items.map { item in
                columns.map { column in
                    let value = column.path.reduce(item) { $0.members[$1] ?? .null }
                    return Self.text(value, column.schema)
                }
            })
    }

    /// What stands in a cell: dates in the form that people read, several values with a space between them.
    private static func text(_ value: JSONNode, _ schema: JSONSchema) -> String {
        switch value {
        case .null: return ""
        case .flag(let flag): return flag ? "true" : "false"
        case .text(let text): return text
        case .number(let number):
            guard schema == Instant.schema, let moment = Int64(number) else { return number }
            return Instant(millisecondsSinceEpoch: moment).clampedToText.rfc3339
        case .list(let values):
            let isPlain = values.allSatisfy { $0.members.isEmpty && $0.nodes.isEmpty }
            return isPlain ? values.map { text($0, schema) }.joined(separator: " ") : line(value)
        case .object: return line(value)
        }
    }
}

extension ListExport {
    /// JSON on one line.
    private static func line(_ value: JSONNode) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// The forms in which a list is answered.
// Closed: each has its writer.
package enum ListForm: String, CaseIterable, Sendable {
    case json, csv

    static let mediaType = "text/csv; charset=utf-8"

    /// The form that a request asks for.
    init(_ request: HTTPRequest) throws(APIError) {
        guard let text = request.target.query["format"] else {
            self = .json
            return
        }
        guard let form = ListForm(rawValue: text) else {
            throw APIError(.valueInvalid, "a list is answered as json or as csv", parameter: "format")
        }
        self = form
    }
}

extension Route {
    /// The route of a list, which answers the same list as a table where that is asked for: `?format=csv`. Any other route stays
    /// as it is.
    var exporting: Route {
        guard method == .get,
            let item = documentation?.responses.first(where: { $0.status == .ok })?.content?.schema.listed
        else { return self }
        var route = self
        let (handler, export) = (handler, ListExport(of: item))
        route.handler = .suspending { request in
            let form = try ListForm(request)
            let answer = try await handler.answer(request)
            guard form == .csv, answer.status == .ok, case .bytes(let page) = answer.body else { return answer }
            var response = HTTPResponse(.ok, Array(try export.table(page).text.utf8), as: ListForm.mediaType)
            response.fields["Content-Disposition"] = "attachment; filename=\"\(Self.name(of: request)).csv\""
            if let next = try JSONNode(page, depth: 32).members["next"]?.string {
                response.fields["Link"] = "<\(Self.address(of: request, after: next))>; rel=\"next\""
            }
            return response
        }
        route.documentation?.parameters.append(
            .query(
                "format", "csv for a table with commas; Link then says where it goes on.",
                schema: .string(among: ListForm.allCases.map(\.rawValue))))
        if let place = route.documentation?.responses.firstIndex(where: { $0.status == .ok }) {
            route.documentation?.responses[place].alternative = .text("text/csv")
        }
        return route
    }

    /// The last word of the path.
    private static func name(of request: HTTPRequest) -> String {
        let path = request.target.raw.prefix { $0 != "?" }
        return String(path.split(separator: "/").last ?? "list").filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
        }
    }

    private static func address(of request: HTTPRequest, after next: String) -> String {
        let raw = request.target.raw
        let path = raw.prefix { $0 != "?" }
        let items = raw.dropFirst(path.count + 1).split(separator: "&").filter { !$0.hasPrefix("after=") }
        return path + "?" + (items + ["after=\(PercentEncoding.encode(next))"]).joined(separator: "&")
    }
}
