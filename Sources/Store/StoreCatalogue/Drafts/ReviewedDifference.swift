import StoreDatabase
import StoreFoundation
import StoreModel

/// A text, a picture or the facts of an item that go live when a reviewer approves them.
package struct ReviewedDifference: Hashable, Sendable {
    // Closed: these are kept apart until then.
    package enum Kind: Hashable, Sendable {
        /// By its language.
        case text(String)
        case image
        /// What the page of an item says.
        case facts

        init?(_ field: String) {
            if field == "image" {
                self = .image
            } else if field == "facts" {
                self = .facts
            } else if field.hasPrefix("texts.") {
                self = .text(String(field.dropFirst("texts.".count)))
            } else {
                return nil
            }
        }

        /// As requests and commands name it: `texts.en-US`, `image`.
        package var field: String {
            switch self {
            case .text(let language): "texts.\(language)"
            case .image: "image"
            case .facts: "facts"
            }
        }

        /// What people call it.
        package var title: String {
            switch self {
            case .text(let language): "text in \(language)"
            case .image: "picture"
            case .facts: "facts"
            }
        }
    }

    package let kind: Kind
    package let before: String?
    package let after: String

    static func list(
        of ids: [ItemID], in transaction: any ReadTransaction
    ) throws -> [ItemID: [ReviewedDifference]] {
        var found: [ItemID: [ReviewedDifference]] = [:]
        _ = try transaction.query(
            """
            SELECT draft.item_id, draft.language, draft.title, draft.description, shown.title, shown.description
            FROM product_text_change AS draft LEFT JOIN product_text AS shown
                ON shown.item_id = draft.item_id AND shown.language = draft.language
            WHERE draft.item_id IN \(.numbers) ORDER BY draft.language
            """, of: ids
        ) { row in
            var cells = row.cells
            let (item, language) = (try cells.next(as: ItemID.self), try cells.next(as: String.self))
            let after = try "\(cells.next(as: String.self)): \(cells.next(as: String.self))"
            let (title, description) = (try cells.next(as: String?.self), try cells.next(as: String?.self))
            found[item, default: []].append(
                ReviewedDifference(
                    kind: .text(language), before: title.map { "\($0): \(description ?? "")" }, after: after))
        }
        _ = try transaction.query(
            """
            SELECT draft.item_id, draft.width, draft.height, shown.width, shown.height
            FROM product_image_change AS draft LEFT JOIN product_image AS shown
                ON shown.item_id = draft.item_id AND shown.kind = draft.kind
            WHERE draft.item_id IN \(.numbers)
            """, of: ids
        ) { row in
            var cells = row.cells
            let item = try cells.next(as: ItemID.self)
            let after = try "a picture of \(cells.next(as: Int.self)) × \(cells.next(as: Int.self)) pixels"
            let (width, height) = (try cells.next(as: Int?.self), try cells.next(as: Int?.self))
            found[item, default: []].append(
                ReviewedDifference(
                    kind: .image, before: width.map { "a picture of \($0) × \(height ?? 0) pixels" }, after: after))
        }
        for (item, difference) in try facts(of: ids, in: transaction) { found[item, default: []].append(difference) }
        return found
    }

    /// What was changed of the pages of items, name by name.
    private static func facts(
        of ids: [ItemID], in transaction: any ReadTransaction
    ) throws -> [(ItemID, ReviewedDifference)] {
        let items = try ItemShelf.items(of: ids, in: transaction)
        let drafts = try ItemDrafts.facts(of: items.values.map(\.storeID), in: transaction)
        return try items.compactMap { id, item in
            guard let draft = drafts[item.storeID] else { return nil }
            let (before, after) = (try members(of: item.facts), try members(of: draft))
            let names = Set(before.keys).union(after.keys).sorted().filter { before[$0] != after[$0] }
            func text(_ members: [String: JSONNode]) -> String {
                names.compactMap { name in members[name].map { "\(name): \($0.text)" } }.joined(separator: ", ")
            }
            return (id, ReviewedDifference(kind: .facts, before: text(before), after: text(after)))
        }
    }

    private static func members(of facts: ItemFacts) throws -> [String: JSONNode] {
        let depth = 8
        return try JSONNode(Array(facts.json.utf8), depth: depth).members
    }
}
