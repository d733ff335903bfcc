import StoreModel
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
