import Foundation
import StoreDatabase
import StoreFoundation
import StoreModel
import StoreRules
import StoreSigning

/// The state of something in the catalogue as one line of JSON, for the audit: what was it before, what is it now?
enum CatalogueSnapshot {
    /// nil if it is not there.
    static func of(_ subject: CatalogueAudit.Subject, in transaction: any ReadTransaction) throws -> String? {
        switch subject {
        case .store: try text(store(in: transaction))
        case .team(let id): try team(id, in: transaction).map(text)
        case .app(let id): try app(id, in: transaction).map(text)
        case .product(let id): try product(id, in: transaction).map(text)
        case .token(let name): try OperatorTokens.named(name, in: transaction).map(TokenState.init).map(text)
        case .artist(let id): try Artists.find(id, in: transaction).map { try text(["name": $0.name]) }
        }
    }

    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try String(decoding: encoder.encode(value), as: UTF8.self)
    }

    private struct TokenState: Encodable {
        let environment: StoreEnvironment
        let role: String
        let member: String?
        let expiresAt: Instant
        let revokedAt: Instant?

        init(_ token: OperatorTokens.Entry) {
            environment = token.environment
            role = token.role.rawValue
            member = token.member
            expiresAt = token.expiresAt
            revokedAt = token.revokedAt
        }
    }

    private struct StoreState: Encodable {
        /// By environment, as fingerprints.
        let primarySecrets: [String: String]
        /// The store ids of what the home page begins with; left out where nothing was chosen.
        let features: [Int64]?
        /// The store's own people by address; left out where there are none.
        let people: [String: String]?
        /// The roles that need a second factor; left out where none does.
        let secondFactors: [String]?
    }

    private static func store(in transaction: any ReadTransaction) throws -> StoreState {
        let features = try ItemShelf.chosen(in: transaction).map(\.storeID)
        let people = try StoreMembers.list(in: transaction)
        let roles = try SecondFactors.requiredRoles(in: transaction).map(\.rawValue).sorted()
        return StoreState(
            primarySecrets: try fingerprints { try SharedSecrets.primary(in: $0, transaction) },
            features: features.isEmpty ? nil : features,
            people: people.isEmpty
                ? nil
                : Dictionary(uniqueKeysWithValues: people.map { ($0.email, "\($0.name), \($0.role.rawValue)") }),
            secondFactors: roles.isEmpty ? nil : roles)
    }

    private static func fingerprints(_ secret: (StoreEnvironment) throws -> String?) throws -> [String: String] {
        let found = try StoreEnvironment.allCases.compactMap { environment in
            try secret(environment).map { (environment.rawValue, try SharedSecrets.fingerprint($0)) }
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    private struct TeamState: Encodable {
        let name: String
        let suspendedAt: Instant?
        let suspensionReason: String?
        let members: [String: String]
        let agreements: [String: [String: Instant?]]
        /// Concealed: more people read the audit than bank data.
        let finance: TeamFinance
        /// How often those were changed; left out before the first time.
        let financeRevision: Int?
        /// Of developers' servers, by id; left out where there is none.
        let apiKeys: [String: String]?
    }

    private static func apiKeys(of id: TeamID, in transaction: any ReadTransaction) throws -> [String: String]? {
        let keys = try APIKeys.list(of: id, in: transaction)
        guard !keys.isEmpty else { return nil }
        return Dictionary(
            uniqueKeysWithValues: keys.map { key in
                let place = key.environment?.rawValue ?? "both"
                return (key.id, "\(key.name), \(place)" + (key.revokedAt.map { ", revoked \($0)" } ?? ""))
            })
    }

    private static func team(_ id: TeamID, in transaction: any ReadTransaction) throws -> TeamState? {
        guard let team = try Teams.find(id, in: transaction) else { return nil }
        let members = try Teams.members(of: id, in: transaction)
        let agreements = try Agreements.list(of: id, in: transaction)
        let finance = try TeamFinance.of(id, in: transaction)
        return TeamState(
            name: team.name, suspendedAt: team.suspendedAt, suspensionReason: team.suspensionReason,
            members: Dictionary(uniqueKeysWithValues: members.map { ($0.email, "\($0.name), \($0.role.rawValue)") }),
            agreements: Dictionary(
                uniqueKeysWithValues: agreements.map {
                    ($0.kind.rawValue, ["acceptedAt": $0.acceptedAt, "endsAt": $0.endsAt])
                }), finance: finance.concealed, financeRevision: finance.revision == 0 ? nil : finance.revision,
            apiKeys: try apiKeys(of: id, in: transaction))
    }

    private struct AppState: Encodable {
        let bundleId: BundleID
        let name: String
        let primaryLanguage: String
        let teamId: TeamID
        let capabilities: [String]
        let capabilitiesRevision: Int
        /// That of production, as a fingerprint.
        let sharedSecret: String?
        let sharedSecretInSandbox: String?
        let versions: [String: String]
        /// What keeps the app from selling because of its versions; missing where nothing does.
        let withheldBy: String?
        let groups: [String: String]
        /// Missing without any in production.
        let gracePeriod: String?
        /// Missing where it is none, or that of production.
        let gracePeriodInSandbox: String?
        /// The keys by which offers are verified; missing without any.
        let offerKeys: [String: String]?
        /// The digest of what a file of Xcode had.
        let storekit: String?
    }

    private static func app(_ id: AppID, in transaction: any ReadTransaction) throws -> AppState? {
        guard let app = try Catalogue.app(id, in: transaction) else { return nil }
        let versions = try AppVersions.list(of: id, in: transaction)
        let obstacle = ProductObstacle.ofApp(
            hasAgreement: true, versions: versions.map(\.review.state), isSuspended: false, mayUsePurchases: true)
        let groups = try SubscriptionGroups.list(of: id, in: transaction)
        let keys = try OfferKeys.list(of: id, in: transaction)
        let grace = try GracePeriods.setting(of: id, in: transaction)
        let secrets = try fingerprints { try SharedSecrets.find(of: id, in: $0, transaction) }
        return AppState(
            bundleId: app.bundleID, name: app.name, primaryLanguage: app.primaryLanguage, teamId: app.teamID,
            capabilities: app.capabilities.map(\.rawValue).sorted(), capabilitiesRevision: app.capabilitiesRevision,
            sharedSecret: secrets[StoreEnvironment.production.rawValue],
            sharedSecretInSandbox: secrets[StoreEnvironment.sandbox.rawValue],
            versions: Dictionary(uniqueKeysWithValues: versions.map { ($0.version, $0.review.state.rawValue) }),
            withheldBy: obstacle?.name,
            groups: Dictionary(uniqueKeysWithValues: groups.map { ($0.id.text, text(of: $0)) }),
            gracePeriod: grace.isInProduction ? grace.summary : nil,
            gracePeriodInSandbox: grace.isInProduction || grace.grace == nil ? nil : grace.summary,
            offerKeys: keys.isEmpty
                ? nil
                : Dictionary(uniqueKeysWithValues: keys.map { ($0.id, $0.revokedAt == nil ? "good" : "revoked") }),
            storekit: try digest(StoreKitOriginals.frame(of: id, in: transaction)))
    }

    private static func text(of group: SubscriptionGroup) -> String {
        let texts = group.texts.sorted { $0.key < $1.key }.map { language, text in
            "\(language): \(text.name)\(text.appName.map { " (\($0))" } ?? "")"
        }
        return ([group.referenceName] + texts).joined(separator: ", ")
    }

    private static func digest(_ text: String?) throws -> String? {
        try text.map { text in
            let digest = try DigestAlgorithm.sha256.digest(Array(text.utf8))
            return digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
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
        let priceChanges: [String: String]
        let images: [String: String]
        let category: String?
        let delivers: String?
        let reviewNote: String?
        let storekit: String?
        let removedAt: Instant?
        /// What the page of an item says, and the digests of its files; missing for what lies on no shelf.
        let item: ItemFacts?
        let files: [String: String]?
    }

    /// The files of an item, the newest of each place.
    private static func files(of item: CatalogueItem, in transaction: any ReadTransaction) throws -> [String: String] {
        let files = try ItemFiles.list(of: item.storeID, in: transaction).map { file in
            let version = file.version.map { " of \($0)" } ?? ""
            return ("\(file.role) \(file.position)\(version)", file)
        }
        return Dictionary(files.map { ($0, $1.blob.text) }) { _, draft in draft }
    }

    private static func product(_ id: ItemID, in transaction: any ReadTransaction) throws -> ProductState? {
        guard let product = try Catalogue.product(id, in: transaction) else { return nil }
        let details = try Catalogue.details(of: product, in: transaction)
        let item = try ItemShelf.item(of: id, in: transaction)
        let facts = try item.map { try ItemDrafts.facts(of: [$0.storeID], in: transaction)[$0.storeID] ?? $0.facts }
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
            priceChanges: Dictionary(
                uniqueKeysWithValues: details.priceChanges.map { ($0.name, $0.price.description) }),
            images: Dictionary(uniqueKeysWithValues: details.newestImages.map { ($0.kind.rawValue, $0.blob.text) }),
            category: product.category?.rawValue, delivers: product.delivers, reviewNote: product.reviewNote,
            storekit: try digest(StoreKitOriginals.object(of: id, in: transaction)),
            removedAt: product.removedAt, item: facts, files: try item.map { try files(of: $0, in: transaction) })
    }
}

extension CatalogueSnapshot {
    /// What differs between two snapshots, field by field.
    static func differences(_ before: String?, _ after: String?, of product: ProductID?) -> [ImportReport.Difference] {
        let (before, after) = (fields(before), fields(after))
        return Set(before.keys).union(after.keys).sorted().compactMap { field in
            guard before[field] != after[field] else { return nil }
            return ImportReport.Difference(
                productId: product, field: field, before: before[field], after: after[field])
        }
    }

    /// What waits for a review before production shows it, is for the review itself, or says itself which environment it
    /// opens.
    private static let drafts: Set = [
        "texts", "images", "state", "category", "delivers", "reviewNote", "storekit", "referenceName", "versions",
        "gracePeriodInSandbox", "sharedSecretInSandbox", "apiKeys", "item", "files",
    ]

    /// Whether two snapshots differ in something by which production sells at once.
    static func changesSales(_ before: String?, _ after: String?) -> Bool {
        differences(before, after, of: nil).contains { difference in
            let name = String(difference.field.prefix { $0 != "." })
            // A group that is new has nothing to sell yet.
            return !drafts.contains(name) && !(name == "groups" && difference.before == nil)
        }
    }

    /// The values of a snapshot as texts, by their paths.
    private static func fields(_ snapshot: String?) -> [String: String] {
        guard let snapshot, let node = try? JSONNode(Array(snapshot.utf8), depth: depth) else { return [:] }
        var fields: [String: String] = [:]
        for (name, value) in node.members {
            if case .object(let members) = value {
                for (key, value) in members { fields["\(name).\(key)"] = text(value) }
            } else {
                fields[name] = text(value)
            }
        }
        return fields
    }

    private static let depth = 16

    private static func text(_ node: JSONNode) -> String {
        switch node {
        case .null: ""
        case .flag(let flag): flag ? "yes" : "no"
        case .number(let text), .text(let text): text
        case .list(let nodes): nodes.map(text).joined(separator: " | ")
        case .object: node.text
        }
    }
}
