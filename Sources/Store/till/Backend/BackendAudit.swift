import CommandOptions
import StoreBackend
import StoreModel

/// `till backend audit`
enum BackendAudit {
    private static let after = Option<Int>.defaulted(
        "after", .integer("NUMBER", in: 0...Int.max), to: 0, help: "Only entries after this one.")

    private static let user = Option<String?>.optional(
        "user", .text("NAME"), help: "Only what concerns this user, and what became of the user's purchases.")

    static let command = Command<TillProgram.Action>(
        "audit", "Show what was done on your own server, the oldest first.",
        discussion:
            "Entries are never changed or removed. A page ends somewhere; --after goes on behind its last number.",
        options: BackendOptions.place + [after, user, StandardOptions.json],
        examples: [Example("What happened to the purchases of a user", "till backend audit --user lisa")],
        exitCodes: [BackendFolder.missing(or: "no such user"), .inputOutput],
        seeAlso: ["till backend users show"],
        action: { arguments, context in
            let entries = try await BackendFolder.open(arguments, context) { backend in
                var of: BackendUser?
                if let name = arguments[user] { of = try await BackendUsers.user(named: name, in: backend) }
                return try await backend.audit(after: Int64(arguments[after]), of: of)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(entries.map(AuditReport.init)) }
            let table = ListTable<AuditEntry>(
                .number("NUMBER") { "\($0.number)" }, .value("WHEN") { $0.instant.rfc3339 },
                .value("WHAT") { $0.action.rawValue }, .text("USER") { $0.userName ?? $0.userID },
                .value("PRODUCT") { $0.productID?.text }, .value("TRANSACTION") { $0.transactionID?.description },
                .text("DETAIL") { $0.detail })
            context.printList(entries, as: table, arguments, nothing: "There are no entries.")
        })

    /// An entry, for programs.
    private struct AuditReport: Encodable {
        let number: Int64
        let instant: Instant
        let action: String
        let userId: String?
        let userName: String?
        let productId: ProductID?
        let transactionId: TransactionID?
        let environment: StoreEnvironment?
        let detail: String

        init(_ entry: AuditEntry) {
            number = entry.number
            instant = entry.instant
            action = entry.action.rawValue
            userId = entry.userID
            userName = entry.userName
            productId = entry.productID
            transactionId = entry.transactionID
            environment = entry.environment
            detail = entry.detail
        }
    }
}
