import StoreDatabase
package import StoreModel
import StoreRules
package import StoreSigning

/// What is to become of a group of subscriptions: what is nil or missing stays.
package struct SubscriptionGroupDraft: Hashable, Sendable {
    package let name: String?
    package let texts: [String: SubscriptionGroupText]
    package let levels: [String: Int]

    package init(name: String?, texts: [String: SubscriptionGroupText], levels: [String: Int]) {
        self.name = name
        self.texts = texts
        self.levels = levels
    }
}

extension CatalogueEditing {
    package func groups(of id: BundleID) async throws -> [SubscriptionGroup] {
        try await read { try SubscriptionGroups.list(of: app(id, in: $0).id, in: $0) }
    }

    /// Enters a group of subscriptions, or changes it.
    package func put(
        _ draft: SubscriptionGroupDraft, as group: SubscriptionGroupID, of id: BundleID
    ) async throws -> [SubscriptionGroup] {
        let members = try draft.levels.map { name, level in
            guard let product = ProductID(name) else {
                throw CatalogueError(.valueInvalid, "it is the id of a product", field: "levels.\(name)")
            }
            return SubscriptionGroup.Member(productId: product, level: level)
        }
        return try await change(id) { app, change in
            let known = try SubscriptionGroups.list(of: app.id, in: change.transaction).first { $0.id == group }
            guard let name = draft.name ?? known?.referenceName else {
                throw CatalogueError(.valueMissing, "a new group has a name", field: "referenceName")
            }
            try SubscriptionGroups.put(
                SubscriptionGroup(id: group, referenceName: name, texts: draft.texts, members: members), of: app.id,
                change)
            return try SubscriptionGroups.list(of: app.id, in: change.transaction).filter { $0.id == group }
        }
    }

    /// Removes a group that has no subscriptions.
    package func remove(_ group: SubscriptionGroupID, of id: BundleID) async throws {
        try await change(id) { try SubscriptionGroups.remove(group, of: $0.id, $1) }
    }

    package func gracePeriod(of id: BundleID) async throws -> GracePeriodSetting {
        try await read { try GracePeriods.setting(of: app(id, in: $0).id, in: $0) }
    }

    package func put(_ draft: GracePeriodDraft, of id: BundleID) async throws -> GracePeriodSetting {
        try await change(id) { try GracePeriods.put(draft, of: $0.id, $1) }
    }
}

// MARK: Offers

extension CatalogueEditing {
    package func offers(of path: ProductPath) async throws -> [SubscriptionOffer] {
        try await read { try SubscriptionOffers.list(of: shown(path, in: $0).itemID, in: $0) }
    }

    /// Gives a subscription an offer, in the place of the one of its id.
    package func put(_ offer: SubscriptionOffer, of path: ProductPath) async throws -> [SubscriptionOffer] {
        try await changeOffers(of: path) { try SubscriptionOffers.put(offer, of: $0, $1) }
    }

    /// The same by a draft: what it leaves out stays as it is.
    package func put(_ draft: SubscriptionOfferDraft, of path: ProductPath) async throws -> [SubscriptionOffer] {
        try await changeOffers(of: path) { try SubscriptionOffers.put(draft, of: $0, $1) }
    }

    /// The offer that a draft would make, which no rule forbids; nothing is changed.
    package func offer(by draft: SubscriptionOfferDraft, of path: ProductPath) async throws -> SubscriptionOffer {
        try await read { transaction in
            let product = try product(path, in: transaction)
            let former = try SubscriptionOffers.list(of: product.itemID, in: transaction).first { $0.id == draft.id }
            let offer = try draft.offer(after: former)
            try offer.check(for: product.kind, product.period)
            return offer
        }
    }

    package func removeOffer(_ offer: String, of path: ProductPath) async throws -> [SubscriptionOffer] {
        try await changeOffers(of: path) { try SubscriptionOffers.remove(offer, of: $0, $1) }
    }

    private func changeOffers(
        of path: ProductPath,
        _ body: @escaping @Sendable (CatalogueProduct, CatalogueChange) throws -> Void
    ) async throws -> [SubscriptionOffer] {
        try await write { change in
            let product = try product(path, in: change.transaction)
            try body(product, change)
            return try SubscriptionOffers.list(of: product.itemID, in: change.transaction)
        }
    }
}

// MARK: Keys of offers

extension CatalogueEditing {
    package func offerKeys(of id: BundleID) async throws -> [OfferKeys.Entry] {
        try await read(for: .secrets) { try OfferKeys.list(of: app(id, in: $0).id, in: $0) }
    }

    /// Lets a key sign promotional offers of an app. Without a public key one is made, and its private half is told this once.
    package func addOfferKey(
        _ publicKey: String?, as keyID: String?, name: String?, of id: BundleID, _ random: RandomBytes
    ) async throws -> (entry: OfferKeys.Entry, privateKey: String?) {
        let made = try publicKey == nil ? PrivateKey.p256() : nil
        let pem = try publicKey ?? made?.publicKey.pemRepresentation ?? ""
        let key = try keyID ?? OfferKeys.drawnID(random)
        let entry = try await change(id, for: .secrets) {
            try OfferKeys.add(pem, as: key, name: name ?? key, of: $0.id, $1)
        }
        return (entry, try made?.pemRepresentation())
    }

    /// Takes a key out of use: what it has signed is refused from now on.
    package func revokeOfferKey(_ key: String, of id: BundleID) async throws -> OfferKeys.Entry {
        try await change(id, for: .secrets) { try OfferKeys.revoke(key, of: $0.id, $1) }
    }
}
