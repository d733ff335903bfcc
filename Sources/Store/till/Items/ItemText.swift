import CommandOptions
import Foundation
import StoreModel
import StoreServer

/// Items as `till` prints them.
enum ItemText {
    static var table: ListTable<ItemMessage> {
        ListTable(
            .value("ITEM") { "\($0.storeId)" }, .value("KIND") { $0.kind }, .text("NAME") { $0.name },
            .text("BY") { $0.artist }, .number("PRICE") { $0.price.map { "\($0.amount) \($0.currency)" } },
            .state("STATE") { state($0.state) }, .value("PART OF") { $0.parent.map { "\($0)" } },
            .id("GENRE") { $0.genre }, .id("TEAM") { $0.teamId.text }, .id("LINK") { $0.link })
    }

    /// The state of a review, in a colour that says whether that is well.
    private static func state(_ state: String) -> ListWord {
        let tone: ListWord.Tone =
            switch state {
            case "approved": .good
            case "waiting_for_review", "in_review", "pending_binary_approval": .waiting
            case "rejected", "removed_from_sale": .bad
            default: .plain
            }
        return ListWord(state.replacing("_", with: " "), tone)
    }

    /// - Parameter parts: the songs of an album, the episodes of a season.
    static func lines(_ details: ItemDetailsMessage, parts: [ItemMessage] = []) -> [String] {
        let item = details.item
        let price = item.price.map { "\($0.amount) \($0.currency)" } ?? "not sold by itself"
        var lines = [
            "\(item.storeId): \(item.kind), \(text(item.name)) by \(text(item.artist)), \(item.genre), \(price), "
                + item.state.replacing("_", with: " "),
            "  \(item.link)",
        ]
        lines += facts(details).map { "  \($0.name) \(text($0.value))" }
        for (language, found) in details.texts.sorted(by: { $0.key < $1.key }) {
            let words = [found.title, found.description].map { text($0) }.filter { !$0.isEmpty }
            lines.append("  \(language): \(words.isEmpty ? "no title" : words.joined(separator: " - "))")
        }
        lines += details.files.map { "  \(line($0))" }
        lines += parts.map { "  \($0.kind) \($0.storeId): \(text($0.name)), \($0.state.replacing("_", with: " "))" }
        if !details.withdrawnStorefronts.isEmpty {
            lines.append("  taken out of \(details.withdrawnStorefronts.joined(separator: ", "))")
        }
        lines += details.priceChanges.map { change in
            "  from \(change.startsAt.rfc3339): \(change.amount) \(change.currency)"
                + (change.storefront.map { " in \($0)" } ?? " everywhere")
        }
        if details.awaitsApproval { lines.append("  production shows former facts until these are approved") }
        if !details.isClearedForSale { lines.append("  not cleared for sale") }
        if let obstacle = details.obstacle { lines.append("  not sold: \(text(obstacle))") }
        if !details.missing.isEmpty { lines.append("  lacks \(details.missing.joined(separator: ", "))") }
        lines.append("  reviews, taxes and prices beforehand: \(item.bundleId) \(item.productId)")
        return lines
    }

    private static func facts(_ details: ItemDetailsMessage) -> [(name: String, value: String)] {
        let found: [(String, String?)] = [
            ("part of", details.item.parent.map { "\($0)" }), ("disc", details.disc.map { "\($0)" }),
            ("number", details.number.map { "\($0)" }), ("released", String(details.releasedAt.rfc3339.prefix(10))),
            ("rated", details.rating), ("copyright", details.copyright), ("support", details.supportAddress),
            ("pages of its maker", details.makerAddress), ("privacy", details.privacyAddress),
            ("plays", details.milliseconds.map { "\($0 / 1000) s" }), ("ISBN", details.isbn), ("UPC", details.upc),
            ("in", details.languages.isEmpty ? nil : details.languages.joined(separator: ", ")),
            ("explicitness", details.explicitness == "notExplicit" ? nil : details.explicitness),
        ]
        return found.compactMap { name, value in value.map { (name: name, value: $0) } }
    }

    private static func line(_ file: ItemFileMessage) -> String {
        var words = ["\(file.role) \(file.position)"]
        if let version = file.version { words.append("version \(text(version))") }
        words += [text(file.fileName), file.mediaType, ByteText(file.bytes).description]
        if let width = file.width, let height = file.height { words.append("\(width) × \(height)") }
        if let length = file.milliseconds { words.append("\(length / 1000) s") }
        if file.role == "package" { words.append("SHA-256 \(file.digest)") }
        if file.awaitsApproval { words.append("in production once it is approved") }
        return words.joined(separator: ", ")
    }

    private static func text(_ text: String) -> String { PrintableText(text, limit: 500).description }
}
