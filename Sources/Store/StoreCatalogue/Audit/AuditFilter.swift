import StoreDatabase
package import StoreModel

/// Which changes of the catalogue are asked for; what is `nil` does not narrow them.
package struct AuditFilter: Hashable, Sendable {
    /// From this moment on.
    package var from: Instant?
    /// Before this moment.
    package var until: Instant?
    /// A part of the name of who made them: an address, the name of a token, `owner`.
    package var actor: String?
    /// The app and its products.
    package var app: BundleID?
    /// One product of the app.
    package var product: ProductID?
    /// One subject as ``CatalogueAudit/Subject`` writes it.
    package var subject: String?
    package var kind: Kind?

    package init(
        from: Instant? = nil, until: Instant? = nil, actor: String? = nil, app: BundleID? = nil,
        product: ProductID? = nil, subject: String? = nil, kind: Kind? = nil
    ) {
        self.from = from
        self.until = until
        self.actor = actor
        self.app = app
        self.product = product
        self.subject = subject
        self.kind = kind
    }

    /// What kind of change it is, by the word with which its line of the audit begins.
    // Closed: each has its words.
    package enum Kind: String, CaseIterable, Sendable {
        case entries, prices, offers, files, review, shelves, teams, keys, drafts

        /// The lines of the kind.
        var condition: SQL {
            switch self {
            case .entries:
                """
                (action LIKE 'entered%' OR action LIKE 'changed%' OR action LIKE 'imported%' OR action LIKE 'renamed%'
                    OR action LIKE 'categorised%' OR action LIKE 'capabilities%' OR action LIKE 'level%'
                    OR action LIKE 'group %' OR action LIKE 'notes of%' OR action LIKE 'features%')
                """
            case .prices: "(action LIKE 'price%' OR action LIKE 'tax %')"
            case .offers: "((action LIKE 'offer %' AND action NOT LIKE 'offer key%') OR action LIKE 'grace %')"
            case .files:
                """
                (action LIKE '% image%' OR action LIKE '% file%'
                    OR action LIKE 'content %' OR action LIKE 'hosting %')
                """
            case .review:
                """
                (action LIKE 'submitted%' OR action LIKE 'submission %' OR action LIKE 'taken into review%'
                    OR action LIKE 'approved%' OR action LIKE 'rejected%' OR action LIKE 'version %')
                """
            case .shelves:
                """
                (action LIKE 'cleared for sale%' OR action LIKE 'withheld%' OR action LIKE 'removed%'
                    OR action LIKE 'put back%')
                """
            case .teams:
                """
                (action LIKE 'enrolled%' OR action LIKE 'member %' OR action LIKE '% agreement accepted%'
                    OR action LIKE '% agreement ended%' OR action LIKE 'suspended%' OR action LIKE 'suspension %'
                    OR action LIKE 'bank %')
                """
            case .keys:
                """
                (action LIKE 'API key%' OR action LIKE 'offer key%' OR action LIKE 'token %'
                    OR action LIKE '%secret%')
                """
            case .drafts: "(action LIKE 'published%' OR action LIKE 'discarded%')"
            }
        }
    }

    /// How long a part of a name may be.
    package static let longestActor = 254

    /// The pattern that names have which contain the text; of no name without one.
    var actorPattern: String {
        guard let actor, !actor.isEmpty else { return "" }
        let escaped = actor.lowercased().reduce(into: "") { text, character in
            text += "\\%_".contains(character) ? "\\\(character)" : String(character)
        }
        return "%\(escaped)%"
    }
}

/// One change of the catalogue with what it was about, and field by field what differs.
package struct AuditedChange: Hashable, Sendable {
    package let entry: CatalogueAudit.Entry
    /// What the subject is called; its text in the audit where nobody knows it any more.
    package let name: String
    /// Where it is found.
    package let app: BundleID?
    package let product: ProductID?
    package let differences: [ImportReport.Difference]
    /// What whoever made it may do now, of those who look after the store; nil if they do not any more.
    package let role: OperatorTokens.Role?

    /// Who made it; empty for the store itself.
    package var actorWords: String { Actor.words(of: entry.actor, role: role) }
}

extension CatalogueAudit {
    /// The changes before one that a filter lets through, the newest first.
    ///
    /// - Parameters:
    ///   - app: the number of the app, or of the product, that the filter names.
    static func list(
        _ filter: AuditFilter, of item: AuditedItem?, team: TeamID?, before number: Int64?, limit: Int,
        in transaction: any ReadTransaction
    ) throws -> [Entry] {
        let condition: SQL =
            """
            SELECT \(Entry.columns) FROM catalogue_audit
            WHERE number < $1 AND ($2 = '' OR subject = $2) AND ($3 = '' OR team_id = $3) AND at >= $4 AND at < $5
                AND ($6 = '' OR lower(actor) LIKE $6 ESCAPE '\\')
                AND ($7 = 0 OR subject = $8
                    OR subject IN (SELECT 'product/' || item_id FROM product WHERE product.app_id = $7))
            """
        let kind: SQL = filter.kind.map { kind in " AND \(kind.condition)" as SQL } ?? ""
        var (subject, app) = (filter.subject ?? "", Int64(0))
        var appSubject = ""
        switch item {
        case .app(let id)?: (app, appSubject) = (id.number, Subject.app(id).text)
        case .product(let id)?:
            // Two subjects that differ are never one.
            guard subject.isEmpty || subject == Subject.product(id).text else { return [] }
            subject = Subject.product(id).text
        case nil: break
        }
        return try transaction.query(
            condition + kind + " ORDER BY number DESC LIMIT $9", number ?? Int64.max, subject, team?.text ?? "",
            filter.from ?? .earliest, filter.until ?? .latest, filter.actorPattern, app, appSubject, limit,
            row: Entry.init)
    }

    /// What a filter names.
    // Closed: an app or one of its products.
    enum AuditedItem: Hashable {
        case app(AppID)
        case product(ItemID)
    }

    /// The same changes with what their subjects are called; as many statements, however many there are.
    static func described(_ entries: [Entry], in transaction: any ReadTransaction) throws -> [AuditedChange] {
        func numbers(_ kind: String) -> [Int64] {
            entries.compactMap { $0.subject.hasPrefix(kind) ? Int64($0.subject.dropFirst(kind.count)) : nil }
        }
        let products = try Catalogue.products(
            all: Set(numbers("product/").compactMap { try? ItemID(number: $0) }), in: transaction)
        let named = numbers("app/").compactMap { try? AppID(number: $0) }
        let apps = try Catalogue.apps(all: Array(Set(products.values.map(\.appID) + named)), in: transaction)
        let roles = try roles(in: transaction)
        return entries.map { entry in
            let parts = entry.subject.split(separator: "/", maxSplits: 1).map(String.init)
            let number = parts.count == 2 ? Int64(parts[1]) : nil
            let product =
                parts[0] == "product" ? number.flatMap { try? ItemID(number: $0) }.flatMap { products[$0] } : nil
            let app = product.map(\.appID) ?? (parts[0] == "app" ? number.flatMap { try? AppID(number: $0) } : nil)
            let found = app.flatMap { apps[$0] }
            return AuditedChange(
                entry: entry, name: product?.referenceName ?? found?.name ?? parts.joined(separator: " "),
                app: found?.bundleID, product: product?.productID,
                differences: CatalogueSnapshot.differences(entry.before, entry.after, of: nil),
                role: roles[entry.actor])
        }
    }

    /// The roles of those who look after the store, by what histories call them. A token may have the name of a person: the
    /// person counts.
    private static func roles(in transaction: any ReadTransaction) throws -> [String: OperatorTokens.Role] {
        let tokens = try OperatorTokens.all(in: transaction).map { (Actor($0).text, $0.role) }
        let people = try StoreMembers.list(in: transaction).map {
            (Actor(person: $0.email, role: $0.role, team: nil).text, $0.role)
        }
        return Dictionary(tokens + people) { $1 }
    }
}

extension CatalogueEditing {
    /// The changes of the catalogue that the actor may see and a filter lets through, before one; the newest first.
    package func changes(
        _ filter: AuditFilter, before number: Int64? = nil, limit: Int
    ) async throws -> [AuditedChange] {
        guard (filter.actor?.count ?? 0) <= AuditFilter.longestActor else {
            throw CatalogueError(
                .valueInvalid, "it has more than \(AuditFilter.longestActor) characters", field: "actor")
        }
        if let from = filter.from, let until = filter.until, from >= until {
            throw CatalogueError(.valueInvalid, "it is not after the beginning", field: "until")
        }
        guard filter.product == nil || filter.app != nil else {
            throw CatalogueError(.valueMissing, "a product is one of an app", field: "bundleId")
        }
        return try await read(for: .members) { transaction in
            let item = try filter.app.map { bundle throws -> CatalogueAudit.AuditedItem in
                let app = try app(bundle, in: transaction)
                guard let id = filter.product else { return .app(app.id) }
                // One that was removed has its history too.
                guard let product = try Catalogue.product(id, of: app.id, in: transaction) else {
                    throw CatalogueError(.productUnknown, "the app has no product of this id", field: "productId")
                }
                return .product(product.itemID)
            }
            let found = try CatalogueAudit.list(
                filter, of: item, team: actor.team, before: number, limit: limit, in: transaction)
            return try CatalogueAudit.described(found, in: transaction)
        }
    }
}
