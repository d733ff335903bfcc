import StoreDatabase
import StoreModel
import StoreRules

/// What an import did, or would do, with the items of the storefront; each by its store id.
package struct ItemImportReport: Codable, Hashable, Sendable {
    package fileprivate(set) var added: [Int64] = []
    package fileprivate(set) var changed: [Int64] = []
    package fileprivate(set) var unchanged: [Int64] = []
    /// Those that the file calls approved; here they are not, or not yet: a review wants their files.
    package fileprivate(set) var unapproved: [Int64] = []
    /// Files that the items do not have here, by role and digest.
    package fileprivate(set) var files: [String: [Int64]] = [:]

    package var changedNothing: Bool { added.isEmpty && changed.isEmpty }
}

/// Brings the items of teams up to a file. What the file says nothing of stays; no item is removed.
struct ItemImport {
    let isApproved: Bool
    let findings: FileFindings
    let change: CatalogueChange
    private(set) var report = ItemImportReport()

    init(isApproved: Bool, _ findings: FileFindings, _ change: CatalogueChange) {
        (self.isApproved, self.findings, self.change) = (isApproved, findings, change)
    }

    /// Albums and seasons come before what is part of them.
    mutating func run(_ items: [CatalogueFile.Item]) throws {
        for item in items.filter({ $0.kind.parent == nil }) + items.filter({ $0.kind.parent != nil }) {
            let outcome = try FileObject([:], findings, at: item.place).collect("storeId") { try run(item) }
            guard let (made, change) = outcome else { continue }
            if change.isNew {
                report.added.append(made.storeID)
            } else if change.changedNothing {
                report.unchanged.append(made.storeID)
            } else {
                report.changed.append(made.storeID)
            }
            try note(item, made)
        }
    }

    private func run(_ item: CatalogueFile.Item) throws -> (CatalogueItem, ProductChange) {
        if let known = try find(item) {
            guard known.kind == item.kind else {
                throw CatalogueError(
                    .kindFixed, "\(known.storeID) is \(known.kind.withArticle), which never changes", field: "kind")
            }
            guard item.team == nil || item.team == known.teamID, change.actor.team.map({ $0 == known.teamID }) ?? true
            else { throw CatalogueError(.valueInvalid, "the item belongs to another team", field: "teamId") }
            let noted = try CatalogueAudit.note(.product(known.itemID), "imported", change) {
                try Items.update(known, by: item.draft, change.part)
                try settle(item, known)
            }
            return (known, ProductChange(before: noted.before, after: noted.after))
        }
        let team = try change.actor.team ?? item.team ?? app(item)?.teamID
        let made = try Items.add(new(item), of: Teams.ensure(team, change), change)
        let noted = try CatalogueAudit.note(.product(made.itemID), "imported", change) { try settle(item, made) }
        return (made, ProductChange(before: nil, after: noted.after))
    }

    private func new(_ item: CatalogueFile.Item) -> NewItem {
        var new = NewItem(item.kind, item.draft)
        (new.storeID, new.app) = (item.kind == .app ? nil : item.storeID, item.bundleID)
        // Its product has them, and all of them.
        new.draft.texts = item.product.texts.mapValues {
            ItemTextDraft(title: $0.title, description: $0.description)
        }
        return new
    }

    private func app(_ item: CatalogueFile.Item) throws -> CatalogueApp? {
        try item.bundleID.flatMap { try Catalogue.app($0, in: change.transaction) }
    }

    private func find(_ item: CatalogueFile.Item) throws -> CatalogueItem? {
        if item.kind == .app {
            return try app(item).flatMap { try ItemShelf.item(of: $0.id, in: change.transaction) }
        }
        guard let known = try item.storeID.flatMap({ try ItemShelf.item($0, in: change.transaction) }) else {
            return nil
        }
        guard try Items.product(of: known, in: change.transaction).removedAt == nil else {
            throw CatalogueError(.productRemoved, "the item \(known.storeID) was removed, and its number with it")
        }
        return known
    }

    /// Brings the product of an item up to what the file says of it, and approves it if it may.
    private func settle(_ item: CatalogueFile.Item, _ known: CatalogueItem) throws {
        let product = try Items.product(of: known, in: change.transaction)
        let draft = item.product.renamed(product.productID)
        _ = try Catalogue.put(
            draft, of: product.appID, number: { product.itemID }, isApproved: false, isCounted: true, change.part)
        guard isApproved, item.product.rest.isApproved ?? true,
            try ItemFiles.missing(of: known, in: change.transaction).isEmpty
        else { return }
        try Catalogue.approve(Items.product(of: known, in: change.transaction), change.part)
    }

    private mutating func note(_ item: CatalogueFile.Item, _ known: CatalogueItem) throws {
        let product = try Items.product(of: known, in: change.transaction)
        if item.product.rest.isApproved == true, product.state != .approved { report.unapproved.append(known.storeID) }
        let there = try ItemFiles.newest(of: known, in: change.transaction)
        for (place, digest) in item.files
        where !there.contains(where: { $0.place == place && $0.blob.text == digest }) {
            report.files["\(place.role):\(digest)", default: []].append(known.storeID)
        }
    }
}
