import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// The answers of `verifyReceipt`: always 200, the outcome in `status`.
enum VerifyReceiptAnswer {
    static func response(_ bytes: [UInt8]) -> HTTPResponse {
        var response = HTTPResponse(.ok, bytes, as: "application/json")
        response.fields["Cache-Control"] = "no-store"
        return response
    }

    /// A receipt that is not verified.
    static func refusal(_ status: VerificationStatus) -> HTTPResponse {
        var writer = AnswerWriter(reserving: 64)
        writer.object { writer in
            writer.number("status", Int64(status.rawValue))
            if let isRetryable = status.isRetryable { writer.flag("is-retryable", isRetryable) }
        }
        return response(writer.bytes)
    }

    /// A receipt that is.
    static func success(
        _ verification: Verification, in environment: StoreEnvironment, at instant: Instant
    ) -> HTTPResponse {
        let environment = WireEnvironment(environment).rawValue
        switch verification {
        case .app(let verification): return response(app(verification, environment, at: instant))
        case .transaction(let verification): return response(transaction(verification, environment))
        }
    }

    /// About what one purchase takes in an answer, in bytes, and what the rest does.
    private static let (purchaseBytes, restBytes) = (900, 1200)

    private static func app(_ verification: AppVerification, _ environment: String, at instant: Instant) -> [UInt8] {
        let latest = verification.latest
        let count = verification.receipt.purchases.count + (latest?.transactions.count ?? 0)
        var writer = AnswerWriter(
            reserving: restBytes + count * purchaseBytes + (latest?.receipt.count ?? 0) * 4 / 3)
        writer.object { writer in
            writer.receipt(verification, at: instant)
            if let latest {
                writer.text("latest_receipt", Base64.encode(latest.receipt))
                writer.array("latest_receipt_info") { writer in
                    for transaction in latest.transactions { writer.object { $0.latest(transaction) } }
                }
            }
            writer.text("environment", environment)
            writer.number("status", Int64(VerificationStatus.valid.rawValue))
        }
        return writer.bytes
    }

    private static func transaction(_ verification: TransactionVerification, _ environment: String) -> [UInt8] {
        let isExpired = verification.latest?.isExpired ?? false
        let entry = verification.account[verification.receipt.transactionID]
        var writer = AnswerWriter(reserving: restBytes)
        writer.object { writer in
            writer.receipt("receipt", verification.receipt, entry)
            if let latest = verification.latest {
                if !isExpired { writer.text("latest_receipt", Base64.encode(latest.signed)) }
                writer.receipt(
                    isExpired ? "latest_expired_receipt_info" : "latest_receipt_info", latest.receipt, entry)
            }
            writer.text("environment", environment)
            writer.number("status", Int64((isExpired ? VerificationStatus.expired : .valid).rawValue))
        }
        return writer.bytes
    }
}
