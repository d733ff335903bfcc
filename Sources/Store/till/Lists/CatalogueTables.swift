import ContentPackage
import StoreCatalogue
import StoreModel
import StoreServer
import StoreService

/// The lists of what is sold, by whom, and who may do what about it.
enum CatalogueTables {
    static var apps: ListTable<CatalogueAppAnswer> {
        ListTable(
            .value("APP") { $0.bundleId.text }, .text("NAME") { $0.name }, .value("TEAM") { $0.teamId.text },
            .id("NUMBER") { "\($0.appId)" }, .id("MADE") { $0.createdAt.rfc3339 })
    }

    /// - Parameter severalApps: whether the rows are of more than one app, so that each has to name its own.
    static func products(severalApps: Bool) -> ListTable<(app: BundleID, product: CatalogueProductAnswer)> {
        ListTable(
            .value("APP") { severalApps ? $0.app.text : nil }, .value("PRODUCT") { $0.product.productId.text },
            .text("TITLE") { $0.product.title },
            .number("PRICE") { $0.product.price.map { "\($0.amount) \($0.currency)" } },
            .value("TYPE") { ProductsEntry.word(of: $0.product.type) },
            .value("PERIOD") { $0.product.period?.description }, .state("STATE") { state($0.product.state) },
            .value("NOTES") { notes($0.product) },
            .id("ITEM") { "\($0.product.itemId)" }, .id("NAME") { $0.product.referenceName })
    }

    private static func notes(_ product: CatalogueProductAnswer) -> String? {
        let notes = [
            product.isClearedForSale ? nil : "not cleared for sale",
            product.draftedAt.map { _ in product.removedAt == nil ? "drafted" : "removed in a draft" },
        ].compactMap(\.self)
        return notes.isEmpty ? nil : notes.joined(separator: ", ")
    }

    static var versions: ListTable<VersionAnswer> {
        ListTable(
            .text("VERSION") { $0.version }, .state("STATE") { state($0.state) },
            .value("SINCE") { $0.changedAt.rfc3339 },
            .text("WHY") { version in
                version.reason.map { reason in
                    [reason.replacing("_", with: " "), version.message ?? ""].filter { !$0.isEmpty }.joined(
                        separator: ": ")
                }
            }, .id("MADE") { $0.createdAt.rfc3339 })
    }

    static var reviews: ListTable<ReviewAnswer> {
        ListTable(
            .value("PRODUCT") { $0.product.productId.text }, .state("STATE") { state($0.product.state) },
            .value("APP") { $0.bundleId.text }, .text("VERSION") { $0.version }, .value("CATEGORY") { $0.category },
            .text("DELIVERS") { $0.delivers },
            .id("APP NUMBER") { "\($0.appId)" }, .id("ITEM") { "\($0.product.itemId)" })
    }

    static var contentVersions: ListTable<ContentVersionAnswer> {
        ListTable(
            .number("UPLOAD") { "\($0.number)" },
            .value("VERSION") { $0.contentVersion?.description ?? "not read yet" },
            .state("STATE") { state($0.state) }, .number("SIZE") { ByteText($0.packageBytes).description },
            .value("UPLOADED") { $0.uploadedAt.rfc3339 }, .text("BY") { $0.uploadedBy },
            .value("DELIVERED IN") { version in
                [
                    version.isDeliveredInSandbox ? "sandbox" : nil,
                    version.isDeliveredInProduction ? "production" : nil,
                ].compactMap(\.self).joined(separator: ", ")
            })
    }

    /// The state of a review or of an upload, in a colour that says whether that is well.
    private static func state(_ state: String) -> ListWord {
        let tone: ListWord.Tone =
            switch state {
            case "approved": .good
            case "waiting_for_review", "in_review", "pending_binary_approval", "processing": .waiting
            case "rejected", "failed", "removed_from_sale": .bad
            default: .plain
            }
        return ListWord(state.replacing("_", with: " "), tone)
    }

    static var teams: ListTable<TeamAnswer> {
        ListTable(
            .value("TEAM") { $0.teamId.text }, .text("NAME") { $0.name },
            .state("STATE") { $0.suspendedAt == nil ? ListWord("sells", .good) : ListWord("suspended", .bad) },
            .text("WHY") { $0.suspensionReason }, .id("MADE") { $0.createdAt.rfc3339 })
    }

    static var applications: ListTable<ApplicationAnswer> {
        ListTable(
            .value("APPLICATION") { $0.applicationId }, .value("TEAM") { $0.teamId.text },
            .text("NAME") { $0.teamName },
            .value("WHO") { $0.email },
            .state("STATE") { asked in
                asked.approvedAt != nil
                    ? ListWord("approved", .good)
                    : asked.refusedAt != nil ? ListWord("refused", .bad) : ListWord("waits", .waiting)
            }, .text("WHY") { $0.reason })
    }

    static var reviewCases: ListTable<ReviewCaseAnswer> {
        ListTable(
            .value("APP") { $0.bundleId.text },
            .value("WHAT") { $0.productId?.text ?? $0.version.map { "version \($0)" } },
            .text("NAME") { $0.name }, .state("STATE") { ListWord($0.isInReview ? "in review" : "waits") },
            .number("CHANGES") { $0.isNew ? "new" : "\($0.changes.count)" }, .value("SINCE") { $0.changedAt.rfc3339 })
    }

    static var audit: ListTable<AuditAnswer> {
        ListTable(
            .value("DATE") { $0.at.rfc3339 }, .value("WHO") { $0.actor }, .value("OF") { $0.subject },
            .text("NAME") { $0.name }, .text("WHAT") { $0.action }, .id("TEAM") { $0.teamId?.text },
            .id("REQUEST") { $0.requestId })
    }

    static var offers: ListTable<OfferMessage> {
        ListTable(
            .value("OFFER") { $0.offerId }, .value("KIND") { $0.kind }, .text("WHAT") { $0.summary },
            .id("NAME") { $0.referenceName })
    }

    static var eligibility: ListTable<EligibilityReport> {
        ListTable(
            .value("PRODUCT") { $0.productId.text }, .value("OFFER") { $0.offerId }, .value("KIND") { $0.kind },
            .number("PRICE") { $0.price.map { "\($0.amount) \($0.currency)" } },
            .state("OPEN") { $0.isEligible ? ListWord("yes", .good) : ListWord("no") }, .text("WHY") { $0.reason })
    }

    static var offerKeys: ListTable<OfferKeyMessage> {
        ListTable(
            .value("KEY") { $0.keyId }, .text("NAME") { $0.name }, .value("MADE") { $0.createdAt.rfc3339 },
            .state("STATE") { key in
                key.revokedAt.map { ListWord("revoked \($0.rfc3339)", .bad) } ?? ListWord("in use", .good)
            })
    }

    static var apiKeys: ListTable<APIKeyMessage> {
        ListTable(
            .value("KEY") { $0.keyId }, .text("NAME") { $0.name }, .value("TEAM") { $0.teamId.text },
            .value("OPENS") { $0.environments.map(\.rawValue).joined(separator: ", ") },
            .value("ISSUER") { $0.issuerId }, .value("LAST USED") { $0.lastUsedAt?.rfc3339 },
            .state("STATE") { key in
                key.revokedAt.map { ListWord("revoked \($0.rfc3339)", .bad) } ?? ListWord("in use", .good)
            })
    }

    static var codes: ListTable<CodeBatchMessage> {
        ListTable(
            .number("BATCH") { "\($0.batchId)" }, .value("PRODUCT") { $0.productId.text },
            .value("OFFER") { $0.offerId }, .value("CODES") { $0.custom ?? "\($0.total) one-time" },
            .number("REDEEMED") { "\($0.used) of \($0.total)" }, .value("UNTIL") { $0.expiresAt?.rfc3339 },
            .state("STATE") { $0.obstacle.map { ListWord($0, .bad) } ?? ListWord("good", .good) },
            .id("MADE") { $0.createdAt.rfc3339 })
    }

    static var groups: ListTable<GroupMessage> {
        ListTable(
            .value("GROUP") { $0.groupId.text }, .text("NAME") { $0.referenceName },
            .text("TEXTS") { group in
                group.texts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.name)" }.joined(separator: ", ")
            },
            .value("SUBSCRIPTIONS, BY LEVEL") { group in
                group.subscriptions.map { "\($0.level.map(String.init) ?? "no level"): \($0.productId)" }
                    .joined(separator: ", ")
            })
    }

    static var tokens: ListTable<OperatorTokenReport> {
        ListTable(
            .text("NAME") { $0.name }, .value("ENVIRONMENT") { $0.environment.rawValue },
            .value("ROLE") { $0.role }, .value("TEAM") { $0.teamId?.text }, .value("MEMBER") { $0.member },
            .value("MADE") { $0.createdAt.rfc3339 }, .value("LAST USED") { $0.lastUsedAt?.rfc3339 ?? "never" },
            .state("STATE") { token in
                token.revokedAt.map { ListWord("revoked \($0.rfc3339)", .bad) }
                    ?? ListWord("until \(token.expiresAt.rfc3339)")
            })
    }

    static var prices: ListTable<(storefront: String, price: CatalogueDetailsAnswer.Price?)> {
        ListTable(
            .value("STOREFRONT") { $0.storefront },
            .number("PRICE") { $0.price.map { "\($0.amount) \($0.currency)" } },
            .state("NOTES") { row in
                guard let price = row.price else { return ListWord("not sold", .bad) }
                return ListWord(price.isDerived ? "" : "set there")
            })
    }
}
