package import StoreDatabase
package import StoreModel

/// Where the notifications of an app go in one environment, which of them, and in which form.
package struct NotificationSetting: Hashable, Sendable {
    package let app: AppID
    /// The address of the developer's server.
    package let url: String
    /// The version of the form, of those in ``versions``.
    package let version: Int
    /// The types that are sent; nil for all but those of Till's own.
    package let types: Set<NotificationType>?
    /// Whether the sandbox tries again as production does; production always does.
    package let retries: Bool
    /// When it was set, by the wall clock, and by whom.
    package let setAt: Instant
    package let actor: String

    /// Whether its form has a test, and what those are told who ask for one where it has none.
    var takesTests: Bool { version > 1 }
    static let withoutTests =
        "the address of the app takes version 1, which has no form of a test; set it with version 2 to try it"

    /// The versions of App Store Server Notifications.
    package static let versions = 1...Notifications.newestVersion

    static let table = RowTable<NotificationSetting>("notification_setting") {
        Column("app_id", .key) { $0.app }
        Column("url", .changing) { $0.url }
        Column("version", .changing) { $0.version }
        Column("types", .changing) { $0.types.map { NotificationType.text(of: $0) } }
        Column("retries", .changing) { $0.retries }
        Column("set_at", .changing) { $0.setAt }
        Column("actor", .changing) { $0.actor }
    }

    init(
        of app: AppID, url: String, version: Int, types: Set<NotificationType>?, retries: Bool, setAt: Instant,
        actor: String
    ) {
        (self.app, self.url, self.version, self.types) = (app, url, version, types)
        (self.retries, self.setAt, self.actor) = (retries, setAt, actor)
    }

    init(_ row: Row) throws {
        var cells = row.cells
        (app, url, version) = try (cells.next(), cells.next(), cells.next())
        types = try cells.next(as: String?.self).map(NotificationType.list(in:))
        (retries, setAt, actor) = try (cells.next(), cells.next(), cells.next())
    }

    /// The setting of an app; nil if its notifications go nowhere.
    package static func find(of app: AppID, in transaction: any ReadTransaction) throws -> NotificationSetting? {
        try transaction.optional(
            "SELECT \(table.columns) FROM notification_setting WHERE app_id = $1", app, row: NotificationSetting.init)
    }

    /// Those of all apps that have one.
    static func all(in transaction: any ReadTransaction) throws -> [AppID: NotificationSetting] {
        let found = try transaction.query(
            "SELECT \(table.columns) FROM notification_setting ORDER BY app_id", row: NotificationSetting.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.app, $0) })
    }
}
