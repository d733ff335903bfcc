import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules

/// People who share what they buy: an organiser, who pays for the children, and at most five others.
package struct Family: Hashable, Sendable {
    /// The most people of a family, the organiser among them.
    package static let limit = 6

    package let id: FamilyID
    package let organiser: CustomerID
    package let createdAt: Instant
    /// In the order in which they came, the organiser first.
    package let members: [Member]

    /// Somebody in a family.
    package struct Member: Hashable, Sendable {
        package let customer: CustomerID
        package let email: String
        package let role: Role
        /// Whether somebody else has to say yes to what this member buys.
        package let asksToBuy: Bool
        package let joinedAt: Instant
        /// The apps that a child may not use any more.
        package fileprivate(set) var withdrawnApps: [BundleID] = []
    }

    /// What somebody is in a family; more may be added.
    package struct Role: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Pays for the children, and decides who is in the family.
        package static let organiser = Role(rawValue: "organiser")
        /// Approves what children want to buy.
        package static let adult = Role(rawValue: "adult")
        /// Asks before it buys.
        package static let child = Role(rawValue: "child")

        package static let known: [Role] = [organiser, adult, child]

        /// Whether it approves what children want to buy.
        package var approves: Bool { self == .organiser || self == .adult }
    }

    package subscript(customer: CustomerID) -> Member? { members.first { $0.customer == customer } }
}

/// The families of an environment, and who is in them.
package enum Families {
    package static func find(_ id: FamilyID, in transaction: any ReadTransaction) throws -> Family? {
        try find([id], in: transaction).first
    }

    /// Those of these numbers that somebody is in, in the order of their numbers.
    static func find(_ ids: [FamilyID], in transaction: any ReadTransaction) throws -> [Family] {
        var members: [FamilyID: [Family.Member]] = [:]
        let found = try transaction.query(
            """
            SELECT family_member.family_id, family_member.customer_id, customer.email, family_member.role,
                customer.asks_to_buy, family_member.joined_at
            FROM family_member JOIN customer ON customer.id = family_member.customer_id
            WHERE family_member.family_id IN \(.numbers)
            ORDER BY CASE WHEN family_member.role = 'organiser' THEN 0 ELSE 1 END, family_member.joined_at,
                family_member.customer_id
            """, of: ids
        ) { row in
            var cells = row.cells
            let family = try cells.next(as: FamilyID.self)
            let member = try Family.Member(
                customer: cells.next(), email: cells.next(), role: Family.Role(rawValue: cells.next()),
                asksToBuy: cells.next(), joinedAt: cells.next())
            return (family: family, member: member)
        }
        let withdrawn = try FamilyConsents.withdrawn(fromAll: found.map(\.member.customer), in: transaction)
        for (family, member) in found {
            var member = member
            member.withdrawnApps = withdrawn[member.customer] ?? []
            members[family, default: []].append(member)
        }
        return try transaction.query(
            "SELECT id, organiser_id, created_at FROM family WHERE id IN \(.numbers) ORDER BY id", of: ids
        ) { row -> Family? in
            var cells = row.cells
            let id = try cells.next(as: FamilyID.self)
            guard let own = members[id] else { return nil }
            return try Family(id: id, organiser: cells.next(), createdAt: cells.next(), members: own)
        }.compactMap(\.self)
    }

    /// The family of a customer.
    package static func find(of customer: CustomerID, in transaction: any ReadTransaction) throws -> Family? {
        try number(of: customer, in: transaction).flatMap { try find($0, in: transaction) }
    }

    static func number(of customer: CustomerID, in transaction: any ReadTransaction) throws -> FamilyID? {
        try transaction.optional("SELECT family_id FROM family_member WHERE customer_id = $1", customer) {
            try $0.value(0, as: FamilyID.self)
        }
    }

    package static func require(of customer: CustomerID, in transaction: any ReadTransaction) throws -> Family {
        guard let found = try find(of: customer, in: transaction) else {
            throw ServiceError(.familyUnknown, "the account \(customer) is in no family", parameter: "customer")
        }
        return found
    }

    /// Families after one, in the order in which they were made, without those that nobody is in any more.
    package static func list(after id: FamilyID?, limit: Int, in transaction: any ReadTransaction) throws -> [Family] {
        let ids = try transaction.query(
            """
            SELECT family_id FROM family_member WHERE role = 'organiser' AND family_id > $1 ORDER BY family_id LIMIT $2
            """, id?.number ?? 0, limit
        ) { try $0.value(0, as: FamilyID.self) }
        return try find(ids, in: transaction)
    }

    /// Who decides on what a customer wants to buy: the organiser, for a child; nil where nobody in particular does.
    static func approver(of customer: CustomerID, in transaction: any ReadTransaction) throws -> CustomerID? {
        guard let family = try find(of: customer, in: transaction), family[customer]?.role == .child else { return nil }
        return family.organiser
    }

    /// Who pays for what a customer gets: the organiser, for a child that asks before it buys; nil for the customer.
    static func payer(for customer: CustomerID, in transaction: any ReadTransaction) throws -> CustomerID? {
        guard try Customers.require(customer, in: transaction).asksToBuy else { return nil }
        return try approver(of: customer, in: transaction)
    }

    /// Who pays for these children: the organisers of their families.
    static func payers(
        for children: some Sequence<CustomerID>, in transaction: any ReadTransaction
    ) throws -> [CustomerID: CustomerID] {
        let found = try transaction.query(
            """
            SELECT family_member.customer_id, family.organiser_id FROM family_member
                JOIN family ON family.id = family_member.family_id
            WHERE family_member.customer_id IN \(.numbers) AND family_member.role = 'child'
            """, of: children
        ) { row in
            (try row.value(0, as: CustomerID.self), try row.value(1, as: CustomerID.self))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    // MARK: Changes

    package static func create(_ id: FamilyID, by organiser: Customer, _ change: Change) throws -> Family {
        try requireFree(organiser, change)
        let transaction = change.transaction
        try transaction.insert(
            into: "family",
            ["id": id, "organiser_id": organiser.id, "created_at": change.wall, "history_count": 0])
        try insert(organiser, .organiser, into: id, change)
        return try require(of: organiser.id, in: transaction)
    }

    /// Takes somebody into a family. What the others share is theirs from then on, and what they own is shared.
    package static func add(
        _ customer: Customer, as role: Family.Role, to family: Family, _ change: Change
    ) throws -> Family {
        let transaction = change.transaction
        if let known = family[customer.id], known.role == role { return family }
        guard role == .adult || role == .child else {
            throw ServiceError(.valueInvalid, "a member is an adult or a child", parameter: "role")
        }
        try requireFree(customer, change)
        guard family.members.count < Family.limit else {
            throw ServiceError(.limitReached, "a family has at most \(Family.limit) people", parameter: "customer")
        }
        let storefront = try Customers.require(family.organiser, in: transaction).storefront
        guard customer.storefront == storefront else {
            throw ServiceError(
                .valueInvalid,
                "a family lives in one storefront, \(storefront), and this account in \(customer.storefront)",
                parameter: "customer")
        }
        // Whatever the others buy at this moment comes before or after this.
        for member in family.members { try Customers.claim(member.customer, in: transaction) }
        try insert(customer, role, into: family.id, change)
        if role == .child { try Customers.setAsksToBuy(true, of: customer.id, in: transaction) }
        try FamilySharing.schedule(.joining(customer.id), change)
        return try require(of: customer.id, in: transaction)
    }

    /// Takes somebody out of a family, who loses what was shared, as the others lose what this one shared. Without its
    /// organiser a family is over.
    package static func remove(_ customer: CustomerID, _ change: Change) throws {
        let family = try require(of: customer, in: change.transaction)
        let leaving = family.organiser == customer ? family.members.reversed().map(\.customer) : [customer]
        for member in family.members { try Customers.claim(member.customer, in: change.transaction) }
        for member in leaving { try leave(member, of: family, change) }
    }

    private static func leave(_ customer: CustomerID, of family: Family, _ change: Change) throws {
        let transaction = change.transaction
        let own = try change.cause.change(of: customer, in: transaction)
        // Nobody is left who would pay for it.
        let waiting = try Purchases.waitingForApproval(
            of: customer, limit: PurchaseLimits.openPurchases, in: transaction)
        for purchase in waiting where purchase.approver != nil {
            try Purchases.handle(.refused, of: purchase, own)
        }
        try transaction.execute("DELETE FROM family_member WHERE customer_id = $1", customer)
        try Customers.setAsksToBuy(false, of: customer, in: transaction)
        try FamilyConsents.forget(customer, in: transaction)
        try record("left", of: customer, in: family.id, detail: nil, change)
        try CustomerEvents.wake(customer, in: transaction)
        try FamilySharing.revokeUnshared(of: customer, change)
    }

    private static func insert(
        _ customer: Customer, _ role: Family.Role, into family: FamilyID, _ change: Change
    ) throws {
        try Customers.claim(customer.id, in: change.transaction)
        try change.transaction.insert(
            into: "family_member",
            [
                "customer_id": customer.id, "family_id": family, "role": role.rawValue, "joined_at": change.wall,
            ])
        try Customers.setAsksToBuy(false, of: customer.id, in: change.transaction)
        try record("joined", of: customer.id, in: family, detail: role.rawValue, change)
        try CustomerEvents.wake(customer.id, in: change.transaction)
    }

    /// Whether a child asks before it buys. What is asked already stays asked.
    static func setAsksToBuy(_ asks: Bool, of customer: CustomerID, _ change: Change) throws {
        let family = try require(of: customer, in: change.transaction)
        guard family[customer]?.role == .child else {
            throw ServiceError(.notAllowed, "only children of a family ask before they buy", parameter: "asksToBuy")
        }
        try Customers.setAsksToBuy(asks, of: customer, in: change.transaction)
        try record("ask-to-buy", of: customer, in: family.id, detail: asks ? "on" : "off", change)
    }

    private static func requireFree(_ customer: Customer, _ change: Change) throws {
        guard try number(of: customer.id, in: change.transaction) == nil else {
            throw ServiceError(
                .familyTaken, "the account \(customer.id) is in a family already, and can be in one only",
                parameter: "customer")
        }
    }

    static func record(
        _ event: String, of customer: CustomerID, in family: FamilyID, detail: String?, _ change: Change
    ) throws {
        let number = try change.transaction.one(
            "UPDATE family SET history_count = history_count + 1 WHERE id = $1 RETURNING history_count", family
        ) { try $0.value(0, as: Int.self) }
        try History.families.append(
            event, to: family, number: number, detail: detail, ["customer_id": customer], at: change.wall,
            by: change.actor, change.cause.request, in: change.transaction)
    }
}

extension NumberSeries {
    package static let families = NumberSeries("family", block: 10)
}
