package import StoreDatabase
package import StoreModel

/// Subscriptions of which a customer has one at a time.
package struct SubscriptionGroup: Hashable, Sendable {
    package let id: SubscriptionGroupID
    package let referenceName: String
    /// What customers read of it, by language.
    package let texts: [String: SubscriptionGroupText]

    package init(id: SubscriptionGroupID, referenceName: String, texts: [String: SubscriptionGroupText]) {
        self.id = id
        self.referenceName = referenceName
        self.texts = texts
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

    package static func list(of app: AppID, in transaction: any ReadTransaction) throws -> [SubscriptionGroup] {
        var texts: [SubscriptionGroupID: [String: SubscriptionGroupText]] = [:]
        try transaction.forEachRow(
            "SELECT group_id, language, name, app_name FROM subscription_group_text WHERE app_id = $1",
            binding: [app.databaseValue]
        ) { row in
            var cells = row.cells
            let (id, language) = (try cells.next(as: SubscriptionGroupID.self), try cells.next(as: String.self))
            texts[id, default: [:]][language] = try SubscriptionGroupText(name: cells.next(), appName: cells.next())
        }
        return try transaction.query(
            "SELECT group_id, reference_name FROM subscription_group WHERE app_id = $1 ORDER BY group_id", app
        ) { row in
            let id = try row.value(0, as: SubscriptionGroupID.self)
            return SubscriptionGroup(id: id, referenceName: try row.value(1), texts: texts[id] ?? [:])
        }
    }

    /// Enters a group, or gives it another name and further texts.
    package static func put(
        _ group: SubscriptionGroup, of app: AppID, _ cause: CatalogueCause, in transaction: any WriteTransaction
    ) throws {
        let known = try list(of: app, in: transaction)
        guard known.count < most || known.contains(where: { $0.id == group.id }) else {
            throw CatalogueError(.limitReached, "an app has at most \(most) groups of subscriptions")
        }
        let name = try CatalogueText.line(
            group.referenceName, atMost: CatalogueLimits.referenceName, field: "referenceName")
        let texts = try group.texts.map { language, text in
            try (
                CatalogueText.language(language, field: "texts.\(language)"),
                SubscriptionGroupText(
                    name: CatalogueText.line(text.name, atMost: longestName, field: "texts.\(language).name"),
                    appName: text.appName.map {
                        try CatalogueText.line($0, atMost: longestAppName, field: "texts.\(language).appName")
                    })
            )
        }
        try CatalogueAudit.audit(.app(app), "group \(group.id)", cause, in: transaction) {
            try transaction.execute(
                """
                INSERT INTO subscription_group (app_id, group_id, reference_name) VALUES ($1, $2, $3)
                ON CONFLICT (app_id, group_id) DO UPDATE SET reference_name = excluded.reference_name
                """, app, group.id, name)
            for (language, text) in texts {
                try transaction.execute(
                    """
                    INSERT INTO subscription_group_text (app_id, group_id, language, name, app_name)
                    VALUES ($1, $2, $3, $4, $5)
                    ON CONFLICT (app_id, group_id, language)
                        DO UPDATE SET name = excluded.name, app_name = excluded.app_name
                    """, app, group.id, language, text.name, text.appName)
            }
        }
    }

    /// The group of a product, entered under its id if it is not there.
    static func ensure(
        _ id: SubscriptionGroupID, of app: AppID, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute(
            """
            INSERT INTO subscription_group (app_id, group_id, reference_name) VALUES ($1, $2, $3)
            ON CONFLICT (app_id, group_id) DO NOTHING
            """, app, id, id.text)
    }
}
