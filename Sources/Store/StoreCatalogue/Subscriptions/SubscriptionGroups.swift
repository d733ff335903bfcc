package import StoreDatabase
package import StoreModel

/// Subscriptions of which a customer has one at a time.
package struct SubscriptionGroup: Hashable, Sendable {
    package let id: SubscriptionGroupID
    package let referenceName: String
    /// What customers read of it, by language.
    package let texts: [String: SubscriptionGroupText]
    /// Its subscriptions, the highest service first, and those without a level last.
    package let members: [Member]

    /// A subscription, and its rank in the group.
    package struct Member: Codable, Hashable, Sendable {
        package let productId: ProductID
        /// 1 for the highest service; several may share one.
        package let level: Int?

        package init(productId: ProductID, level: Int?) {
            self.productId = productId
            self.level = level
        }
    }

    package init(
        id: SubscriptionGroupID, referenceName: String, texts: [String: SubscriptionGroupText], members: [Member] = []
    ) {
        self.id = id
        self.referenceName = referenceName
        self.texts = texts
        self.members = members
    }
}

/// What customers read of a group, in one language.
package struct SubscriptionGroupText: Hashable, Sendable {
    package let name: String
    /// What the app is called where its subscriptions are listed; nil for its usual name.
    package let appName: String?

    package init(name: String, appName: String? = nil) {
        self.name = name
        self.appName = appName
    }
}

/// The groups of an app's subscriptions.
package enum SubscriptionGroups {
    package static let most = 1000
    package static let longestName = 75
    package static let longestAppName = 30
    /// The lowest service of a group.
    package static let lowestLevel = 1000

    /// What customers read of the groups, by language.
    static func texts(
        of app: AppID, in transaction: any ReadTransaction
    ) throws -> [SubscriptionGroupID: [String: SubscriptionGroupText]] {
        var texts: [SubscriptionGroupID: [String: SubscriptionGroupText]] = [:]
        try transaction.forEachRow(
            "SELECT group_id, language, name, app_name FROM subscription_group_text WHERE app_id = $1",
            binding: [app.databaseValue]
        ) { row in
            var cells = row.cells
            let (id, language) = (try cells.next(as: SubscriptionGroupID.self), try cells.next(as: String.self))
            texts[id, default: [:]][language] = try SubscriptionGroupText(name: cells.next(), appName: cells.next())
        }
        return texts
    }

    package static func list(of app: AppID, in transaction: any ReadTransaction) throws -> [SubscriptionGroup] {
        let texts = try texts(of: app, in: transaction)
        var members: [SubscriptionGroupID: [SubscriptionGroup.Member]] = [:]
        try transaction.forEachRow(
            """
            SELECT group_id, product_id, level FROM product
            WHERE app_id = $1 AND group_id IS NOT NULL AND removed_at IS NULL ORDER BY product_id
            """, binding: [app.databaseValue]
        ) { row in
            var cells = row.cells
            let id = try cells.next(as: SubscriptionGroupID.self)
            members[id, default: []].append(try .init(productId: cells.next(), level: cells.next()))
        }
        return try transaction.query(
            "SELECT group_id, reference_name FROM subscription_group WHERE app_id = $1 ORDER BY group_id", app
        ) { row in
            let id = try row.value(0, as: SubscriptionGroupID.self)
            let members = (members[id] ?? []).sorted {
                ($0.level ?? .max, $0.productId.text) < ($1.level ?? .max, $1.productId.text)
            }
            return SubscriptionGroup(
                id: id, referenceName: try row.value(1), texts: texts[id] ?? [:], members: members)
        }
    }

    /// Enters a group, or gives it another name, further texts, and its subscriptions other levels.
    ///
    /// - Parameter group: a text without a name takes the text of its language away; members that it does not have keep
    ///   their level.
    package static func put(
        _ group: SubscriptionGroup, of app: AppID, _ change: CatalogueChange
    ) throws {
        let members = try group.members.map { member in
            let field = "levels.\(member.productId)"
            guard let product = try Catalogue.product(member.productId, of: app, in: change.transaction),
                product.groupID == group.id, product.removedAt == nil
            else {
                throw CatalogueError(.productUnknown, "the group has no subscription of this id", field: field)
            }
            guard (1...lowestLevel).contains(member.level ?? 1) else {
                throw CatalogueError(.valueInvalid, "it is between 1 and \(lowestLevel)", field: field)
            }
            return (product, member.level)
        }
        let known = try list(of: app, in: change.transaction)
        guard known.count < most || known.contains(where: { $0.id == group.id }) else {
            throw CatalogueError(.limitReached, "an app has at most \(most) groups of subscriptions")
        }
        let name = try CatalogueText.line(
            group.referenceName, atMost: CatalogueLimits.referenceName, field: "referenceName")
        let (removed, kept) = (group.texts.filter { $1.name.isEmpty }, group.texts.filter { !$1.name.isEmpty })
        guard kept.count <= CatalogueLimits.languages else {
            throw CatalogueError(
                .limitReached, "it has more than \(CatalogueLimits.languages) languages", field: "texts")
        }
        let texts = try kept.map { language, text in
            try (
                CatalogueText.language(language, field: "texts.\(language)"),
                SubscriptionGroupText(
                    name: CatalogueText.line(text.name, atMost: longestName, field: "texts.\(language).name"),
                    appName: text.appName.map {
                        try CatalogueText.line($0, atMost: longestAppName, field: "texts.\(language).appName")
                    })
            )
        }
        try CatalogueAudit.audit(.app(app), "group \(group.id)", change) {
            try change.transaction.insertOrUpdate(
                "subscription_group", ["reference_name": name], key: ["app_id": app, "group_id": group.id])
            for language in removed.keys {
                try change.transaction.execute(
                    "DELETE FROM subscription_group_text WHERE app_id = $1 AND group_id = $2 AND language = $3", app,
                    group.id, language)
            }
            for (language, text) in texts {
                try change.transaction.insertOrUpdate(
                    "subscription_group_text", ["name": text.name, "app_name": text.appName],
                    key: ["app_id": app, "group_id": group.id, "language": language])
            }
        }
        for (product, level) in members where level != product.level {
            try Catalogue.change(product, "level", change) {
                try change.transaction.update("product", ["level": level], where: ["item_id": product.itemID])
            }
        }
    }

    /// Removes a group that has no subscriptions.
    package static func remove(
        _ id: SubscriptionGroupID, of app: AppID, _ change: CatalogueChange
    ) throws {
        guard let group = try list(of: app, in: change.transaction).first(where: { $0.id == id }) else {
            throw CatalogueError(.nameUnknown, "the app has no such group", field: "groupId")
        }
        if let member = group.members.first {
            throw CatalogueError(
                .stateWrong, "the group has subscriptions, such as \(member.productId)", field: "groupId")
        }
        try CatalogueAudit.audit(.app(app), "group \(id) removed", change) {
            try change.transaction.execute(
                "DELETE FROM subscription_group_text WHERE app_id = $1 AND group_id = $2", app, id)
            try change.transaction.execute(
                "DELETE FROM subscription_group WHERE app_id = $1 AND group_id = $2", app, id)
        }
    }

    /// The group of a product, entered under its id if it is not there.
    static func ensure(
        _ id: SubscriptionGroupID, of app: AppID, in transaction: any WriteTransaction
    ) throws {
        _ = try transaction.insertIfNew(
            into: "subscription_group", ["app_id": app, "group_id": id, "reference_name": id.text])
    }
}
