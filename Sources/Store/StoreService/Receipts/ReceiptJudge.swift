import StoreDatabase
package import StoreModel
package import StoreSigning

/// Tells genuine receipts of an environment from all others.
package struct ReceiptJudge: Sendable {
    private let environment: StoreEnvironment
    private let own: Verifiers
    private let other: Verifiers?
    private let recent = RecentReceipts()

    private struct Verifiers {
        let environment: StoreEnvironment
        let app: ReceiptVerifier
        let transaction: TransactionReceiptVerifier

        init(_ keys: EnvironmentKeys) throws {
            environment = keys.environment
            app = try keys.receiptVerifier()
            transaction = try keys.transactionReceiptVerifier()
        }
    }

    /// - Parameter other: the keys of the other environment, whose receipts are sent on there.
    package init(_ keys: EnvironmentKeys, other: EnvironmentKeys?) throws {
        environment = keys.environment
        own = try Verifiers(keys)
        self.other = try other.map { try Verifiers($0) }
    }

    /// The receipt, if it is genuine and of this environment.
    ///
    /// Which environment a receipt is of, its chain of certificates decides, and what it says of itself must agree. So
    /// nobody is sent on with a receipt that the other environment would refuse.
    package func judge(_ bytes: [UInt8]) throws(ReceiptRefusal) -> SubmittedReceipt {
        if let known = recent.receipt(of: bytes) { return .app(known) }
        let form = try ReceiptForm(of: bytes)
        do {
            let submitted = try Self.verify(bytes, form, own)
            if case .app(let receipt) = submitted { recent.remember(receipt, of: bytes) }
            return submitted
        } catch {
            let refusal = (error as? ReceiptRefusal) ?? Self.refusal(error)
            guard refusal.status == .notAuthentic, let other, (try? Self.verify(bytes, form, other)) != nil else {
                throw refusal
            }
            throw switch environment {
            case .production:
                ReceiptRefusal(.fromSandbox, "this is a receipt of the sandbox: send it to the sandbox's address")
            case .sandbox:
                ReceiptRefusal(.fromProduction, "this is a receipt of production: send it to production's address")
            }
        }
    }

    private static func verify(
        _ bytes: [UInt8], _ form: ReceiptForm, _ verifiers: Verifiers
    ) throws -> SubmittedReceipt {
        switch form {
        case .signedData:
            let receipt = try verifiers.app.verify(bytes).receipt
            guard receipt.type.environment == verifiers.environment else {
                throw ReceiptRefusal(
                    .notAuthentic, "the receipt says that it is of another environment than its signer")
            }
            return .app(receipt)
        case .propertyList:
            let receipt = try verifiers.transaction.verify(bytes)
            guard try TransactionReceiptVerifier.claimedEnvironment(of: bytes) == verifiers.environment else {
                throw ReceiptRefusal(
                    .notAuthentic, "the receipt says that it is of another environment than its signer")
            }
            return .transaction(receipt)
        }
    }

    private static func refusal(_ error: any Error) -> ReceiptRefusal {
        guard let error = error as? SigningError else { return ReceiptRefusal(.internalFailure, "\(error)") }
        switch error.code {
        case .malformed, .tooLarge: return ReceiptRefusal(.malformed, "receipt-data: \(error.message)")
        default: return ReceiptRefusal(.notAuthentic, "receipt-data: \(error.message)")
        }
    }
}

/// What the books say today of the transactions of a receipt, and of who made them.
package struct ReceiptAccount: Sendable {
    /// Whose transactions they are; nil if the books have none of them.
    package private(set) var customer: CustomerID?
    package private(set) var app: AppID?
    /// Whether that customer was deleted.
    package private(set) var isDeleted = false
    /// The clock that the customer lives by; nil for that on the wall.
    private(set) var clock: CustomerClock?
    private var entries: [Int64: ReceiptStanding] = [:]

    package subscript(transactionID: String) -> ReceiptStanding? { Int64(transactionID).flatMap { entries[$0] } }

    /// How many transactions one statement asks for: of a receipt with a handful, and of one with many.
    static let handful = 8
    private static let batch = 16

    // The tables are joined in the order in which they are written, by their keys. SQLite would put what a list after IN
    // asks for into a table first.
    private static let found: SQL = """
        SELECT store_transaction.id, store_transaction.customer_id, store_transaction.app_id,
            customer.deleted_at, \(CustomerClock.columns), \(ReceiptStandingReader.columns)
        FROM asked CROSS JOIN store_transaction CROSS JOIN customer
            \(CustomerClock.join)
            LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id
        WHERE store_transaction.id = asked.id AND customer.id = store_transaction.customer_id
        """
    private static let few: SQL = """
        (CAST($1 AS \(.integer))), (CAST($2 AS \(.integer))), (CAST($3 AS \(.integer))), (CAST($4 AS \(.integer))),
            (CAST($5 AS \(.integer))), (CAST($6 AS \(.integer))), (CAST($7 AS \(.integer))), (CAST($8 AS \(.integer)))
        """
    private static let several: SQL = """
        \(few), (CAST($9 AS \(.integer))), (CAST($10 AS \(.integer))), (CAST($11 AS \(.integer))),
            (CAST($12 AS \(.integer))), (CAST($13 AS \(.integer))), (CAST($14 AS \(.integer))),
            (CAST($15 AS \(.integer))), (CAST($16 AS \(.integer)))
        """
    private static let findFew: SQL = "WITH asked (id) AS (VALUES \(few)) \(found)"
    private static let findSeveral: SQL = "WITH asked (id) AS (VALUES \(several)) \(found)"

    /// Looks the transactions up, those of the same customer together; up to a handful of them with one statement.
    init(of transactionIDs: [String], in transaction: any ReadTransaction) throws {
        // A number that is none, the store never gave out.
        let numbers = transactionIDs.compactMap { Int64($0) }
        entries.reserveCapacity(numbers.count)
        var (rest, reader) = (numbers[...], ReceiptStandingReader())
        while !rest.isEmpty {
            let (width, statement) =
                rest.count <= Self.handful ? (Self.handful, Self.findFew) : (Self.batch, Self.findSeveral)
            let asked = rest.prefix(width)
            rest = rest.dropFirst(width)
            // What a statement could ask for more, is nothing.
            let values = asked.map(DatabaseValue.integer) + Array(repeating: .null, count: width - asked.count)
            try transaction.forEachRow(statement, binding: values) { try take($0, &reader) }
        }
    }

    private mutating func take(_ row: Row, _ reader: inout ReceiptStandingReader) throws {
        var cells = row.cells
        let id: Int64 = try cells.next()
        customer = try cells.next()
        app = try cells.next()
        isDeleted = try cells.next(as: Instant?.self) != nil
        clock = try CustomerClock(&cells)
        entries[id] = try reader.read(&cells)
    }
}
