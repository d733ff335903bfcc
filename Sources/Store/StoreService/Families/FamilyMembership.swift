import StoreCatalogue
import StoreDatabase
package import StoreModel

/// Families as those look after them who look after the store: made, joined and left in one change each.
package struct FamilyMembership: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    package func list(after id: FamilyID?, limit: Int) async throws -> [Family] {
        try await store.database.read { try Families.list(after: id, limit: limit, in: $0) }
    }

    /// The family of an account, by its number or address.
    package func family(of name: String) async throws -> Family {
        try await store.database.read { try Families.require(of: Customers.named(name, in: $0).id, in: $0) }
    }

    /// A family with what its children have asked for.
    package struct Listed: Sendable {
        package let family: Family
        /// Purchases that wait for a yes.
        package let requests: Int
    }

    /// Families after one, with how many requests wait in each.
    package func listed(after id: FamilyID?, limit: Int) async throws -> [Listed] {
        try await store.database.read { transaction in
            let families = try Families.list(after: id, limit: limit, in: transaction)
            let waiting = try Purchases.countWaitingForApproval(
                of: families.flatMap(\.members).map(\.customer), in: transaction)
            return families.map { family in
                Listed(family: family, requests: family.members.reduce(0) { $0 + (waiting[$1.customer] ?? 0) })
            }
        }
    }

    /// What waits for a yes in a family, the oldest first.
    package func requests(in family: Family) async throws -> [StoredPurchase] {
        try await store.database.read { transaction in
            try family.members.flatMap { member in
                try Purchases.waitingForApproval(
                    of: member.customer, limit: PurchaseLimits.openPurchases, in: transaction)
            }.sorted { $0.id < $1.id }
        }
    }

    /// Makes a family of one. Where the account is the organiser of one already, that is it.
    package func create(by name: String, _ cause: ChangeCause) async throws -> (family: Family, isNew: Bool) {
        let number = try FamilyID(number: await store.numbers.next(.families))
        return try await store.database.write { transaction in
            let organiser = try Customers.inUse(name, in: transaction)
            if let known = try Families.find(of: organiser.id, in: transaction), known.organiser == organiser.id {
                return (known, false)
            }
            let change = try cause.change(of: organiser.id, in: transaction)
            return (try Families.create(number, by: organiser, change), true)
        }
    }

    /// Takes an account into the family of another one.
    package func add(
        _ name: String, as role: Family.Role, toFamilyOf member: String, _ cause: ChangeCause
    ) async throws -> Family {
        try await store.database.write { transaction in
            let family = try Families.require(of: Customers.named(member, in: transaction).id, in: transaction)
            let joining = try Customers.inUse(name, in: transaction)
            return try Families.add(joining, as: role, to: family, cause.change(of: joining.id, in: transaction))
        }
    }

    /// Takes an account out of the family that another one is in; the organiser takes all along.
    package func remove(_ name: String, fromFamilyOf member: String, _ cause: ChangeCause) async throws {
        try await store.database.write { transaction in
            let family = try Families.require(of: Customers.named(member, in: transaction).id, in: transaction)
            let leaving = try Customers.named(name, in: transaction).id
            guard family[leaving] != nil else {
                throw ServiceError(.familyUnknown, "the account \(leaving) is not in this family", parameter: "member")
            }
            try Families.remove(leaving, cause.change(of: leaving, in: transaction))
        }
    }
}
