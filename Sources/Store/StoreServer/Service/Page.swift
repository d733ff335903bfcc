package import StoreHTTP
import StoreModel

/// A part of a list and where the next one begins: the one shape of lists at `/control/v1`.
package struct Page<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    package let items: [Item]
    /// What to ask for as `after` to get the next page; nil on the last.
    package let next: String?

    package init(_ items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }
}

extension Page: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["next": .string("What to ask for as after to get the next page; missing on the last.")]
    }
}

/// Which page of a list a request asks for: `?after=…&limit=…`.
struct PageRequest<ID: LosslessStringConvertible & Sendable>: Sendable {
    /// What the page comes after; nil for the first.
    let after: ID?
    /// One more than the page has, which tells whether there is a next one.
    let rows: Int

    init(_ request: HTTPRequest, of type: ID.Type = ID.self) throws(APIError) {
        let query = request.target.query
        after = try query["after"].map { text throws(APIError) in
            guard let id = ID(text) else {
                throw APIError(.valueInvalid, "a page comes after what another had as next", parameter: "after")
            }
            return id
        }
        guard let text = query["limit"] else {
            rows = PageLimits.usual + 1
            return
        }
        guard let limit = Int(text), text.utf8.first != UInt8(ascii: "+"), (1...PageLimits.most).contains(limit) else {
            throw APIError(.valueInvalid, "a page has 1 to \(PageLimits.most) items", parameter: "limit")
        }
        rows = limit + 1
    }

    /// The page of what was found, which has up to ``rows`` elements in order.
    func page<Row, Item>(
        of found: [Row], by id: (Row) -> ID, _ item: (Row) throws -> Item
    ) rethrows -> Page<Item> {
        let shown = found.prefix(rows - 1)
        return Page(
            try shown.map(item), next: found.count < rows ? nil : shown.last.map { id($0).description })
    }
}

enum PageLimits {
    static let (usual, most) = (100, 1000)
}

extension [OperationDocumentation.Parameter] {
    /// How a page is asked for.
    ///
    /// - Parameter id: how the list names its items, in which order they come.
    static func page(by id: JSONSchema) -> [OperationDocumentation.Parameter] {
        [
            .query("after", "What the page comes after: next of the one before it.", schema: id),
            .query(
                "limit", "How many items the page has at most; \(PageLimits.usual) if it is missing.",
                schema: .integer(minimum: 1, maximum: PageLimits.most)),
        ]
    }
}

extension HTTPRequest {
    /// A moment of the query, in milliseconds since 1970; nil if it is missing.
    func moment(_ name: String) throws(APIError) -> Instant? {
        guard let text = target.query[name] else { return nil }
        guard let number = Int64(text) else {
            throw APIError(.valueInvalid, "a moment is given in milliseconds since 1970", parameter: name)
        }
        return Instant(millisecondsSinceEpoch: number)
    }

    /// What the query says to a question; false where it says nothing.
    func flag(_ name: String) throws(APIError) -> Bool {
        switch target.query[name] ?? "false" {
        case "true": true
        case "false": false
        default: throw APIError(.valueInvalid, "this is true or false", parameter: name)
        }
    }
}
