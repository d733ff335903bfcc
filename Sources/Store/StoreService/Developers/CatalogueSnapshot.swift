import Foundation
import StoreDatabase
import StoreModel
import StoreRules

/// The state of something in the catalogue as one line of JSON, for the audit: what was it before, what is it now?
enum CatalogueSnapshot {
    /// nil if it is not there.
    static func of(_ subject: CatalogueAudit.Subject, in transaction: any ReadTransaction) throws -> String? {
        switch subject {
        case .team(let id): try team(id, in: transaction).map(text)
        case .app(let id): try app(id, in: transaction).map(text)
        case .product(let id): try product(id, in: transaction).map(text)
        }
    }

    private static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try String(decoding: encoder.encode(value), as: UTF8.self)
    }

    private struct TeamState: Encodable {
        let name: String
        let suspendedAt: Instant?
        let suspensionReason: String?
        let members: [String: String]
        let agreements: [String: [String: Instant?]]
        let finance: TeamFinance
    }

    private static func team(_ id: TeamID, in transaction: any ReadTransaction) throws -> TeamState? {
        guard let team = try Teams.find(id, in: transaction) else { return nil }
        let members = try Teams.members(of: id, in: transaction)
        let agreements = try Agreements.list(of: id, in: transaction)
        return TeamState(
            name: team.name, suspendedAt: team.suspendedAt, suspensionReason: team.suspensionReason,
            members: Dictionary(uniqueKeysWithValues: members.map { ($0.email, "\($0.name), \($0.role.rawValue)") }),
            agreements: Dictionary(
                uniqueKeysWithValues: agreements.map {
                    ($0.kind.rawValue, ["acceptedAt": $0.acceptedAt, "endsAt": $0.endsAt])
                }), finance: try TeamFinance.of(id, in: transaction))
    }

    private struct AppState: Encodable {
        let bundleId: BundleID
        let name: String
        let teamId: TeamID
        let capabilities: [String]
        let capabilitiesRevision: Int
        let hasSharedSecret: Bool
        let versions: [String: String]
        let groups: [String: String]
    }

    private static func app(_ id: AppID, in transaction: any ReadTransaction) throws -> AppState? {
        guard let app = try Catalogue.app(id, in: transaction) else { return nil }
        let versions = try AppVersions.list(of: id, in: transaction)
        let groups = try SubscriptionGroups.list(of: id, in: transaction)
        return AppState(
            bundleId: app.bundleID, name: app.name, teamId: app.teamID,
            capabilities: app.capabilities.map(\.rawValue).sorted(), capabilitiesRevision: app.capabilitiesRevision,
            hasSharedSecret: app.sharedSecret != nil,
            versions: Dictionary(uniqueKeysWithValues: versions.map { ($0.version, $0.review.state.rawValue) }),
            groups: Dictionary(uniqueKeysWithValues: groups.map { ($0.id.text, "\($0.referenceName) \($0.texts)") }))
    }

    private struct ProductState: Encodable {
        let productId: ProductID
        let type: ProductKind
        let referenceName: String
        let state: String
        let isLive: Bool
        let isClearedForSale: Bool
        let isFamilyShareable: Bool
        let period: BillingPeriod?
        let groupId: SubscriptionGroupID?
        let level: Int?
        let hostsContent: Bool
        let taxCategory: String?
        let texts: [String: [String]]
        let basePrice: String?
        let prices: [String: String]
        let withdrawn: [String]
        let offers: [String: String]
        let images: [String: String]
        let removedAt: Instant?
    }

    private static func product(_ id: ItemID, in transaction: any ReadTransaction) throws -> ProductState? {
        guard let product = try Catalogue.product(id, in: transaction) else { return nil }
        let details = try Catalogue.details(of: product, in: transaction)
        return ProductState(
            productId: product.productID, type: product.kind, referenceName: product.referenceName,
            state: product.state.rawValue, isLive: product.review.isLive, isClearedForSale: product.isClearedForSale,
            isFamilyShareable: product.isFamilyShareable, period: product.period, groupId: product.groupID,
            level: product.level, hostsContent: product.hostsContent, taxCategory: product.taxCategory?.rawValue,
            texts: details.newestTexts.mapValues { [$0.title, $0.description] },
            basePrice: product.basePrice?.description,
            prices: Dictionary(
                uniqueKeysWithValues: details.ownPrices.map { ($0.key.rawValue, $0.value.description) }),
            withdrawn: details.withdrawn.map(\.rawValue).sorted(),
            offers: Dictionary(
                uniqueKeysWithValues: try SubscriptionOffers.list(of: id, in: transaction).map { ($0.id, $0.summary) }),
            images: Dictionary(uniqueKeysWithValues: details.images.map { ($0.kind.rawValue, $0.blob.text) }),
            removedAt: product.removedAt)
    }
}
