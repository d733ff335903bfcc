import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// What developers' servers say was consumed of a purchase, for those who decide a request for a refund.
package struct ServerConsumption: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Keeps what a server says of a transaction whose customer asks for a refund.
    ///
    /// - Returns: why nothing was kept; nil if it was. The server is answered the same, as it is by the App Store.
    package func send(
        _ told: Consumption, about id: TransactionID, of app: AppID, _ cause: ChangeCause
    ) async throws -> String? {
        try await store.database.write { transaction in
            let sold = try Transactions.require(id, of: app, in: transaction)
            guard sold.ownership == .purchased else {
                throw ServerAPIError(
                    .familyTransactionNotSupported, "\(id) is shared by a family; the buyer asks for refunds")
            }
            guard [.consumable, .autoRenewable].contains(sold.kind) else {
                throw ServerAPIError(
                    .transactionTypeNotSupported,
                    "\(id) is a \(sold.kind.rawValue); consumables and subscriptions that renew are told about")
            }
            let asked = try RefundRequests.about(id, in: transaction).last { $0.state.isWaiting }
            guard let asked else { return "nobody waits for a decision about a refund of \(id); nothing was kept" }
            let change = try cause.change(of: sold.customerID, in: transaction)
            guard change.commerce < asked.answersUntil else {
                return "the 12 hours ended at \(asked.answersUntil.rfc3339); nothing was kept"
            }
            do {
                try told.record(about: asked, change)
                return nil
            } catch let error as ServiceError where error.code == .limitReached {
                return error.message
            }
        }
    }

    /// The message in its second version, each field with the code that it is refused with.
    package static func secondVersion(
        customerConsented: Bool?, sampleContentProvided: Bool?, deliveryStatus: String?, consumptionPercentage: Int?,
        refundPreference: String?
    ) throws(ServerAPIError) -> Consumption {
        try checked { () throws(ServiceError) in
            try Consumption(
                customerConsented: customerConsented, sampleContentProvided: sampleContentProvided,
                deliveryStatus: deliveryStatus.map(ConsumptionDeliveryStatus.init),
                consumptionPercentage: consumptionPercentage,
                refundPreference: refundPreference.map(ConsumptionRefundPreference.init))
        }
    }

    /// The message in its first version.
    ///
    /// - Parameter numbers: all fields that are numbers, by their names.
    package static func firstVersion(
        customerConsented: Bool?, sampleContentProvided: Bool?, accountToken: String?, _ numbers: [String: Int]
    ) throws(ServerAPIError) -> Consumption {
        guard customerConsented == true else {
            throw ServerAPIError(.invalidCustomerConsented, "customerConsented has to be true")
        }
        let first = try ConsumptionFirstVersion(numbers, accountToken: accountToken)
        return try checked { () throws(ServiceError) in
            try Consumption(
                customerConsented: customerConsented, sampleContentProvided: sampleContentProvided,
                deliveryStatus: first.delivery, consumptionPercentage: first.percentage,
                refundPreference: first.preference, firstVersion: first)
        }
    }

    private static func checked(_ make: () throws(ServiceError) -> Consumption) throws(ServerAPIError) -> Consumption {
        do throws(ServiceError) {
            return try make()
        } catch {
            let codes: [String: ServerAPIError.Code] = [
                "customerConsented": .invalidCustomerConsented, "sampleContentProvided": .invalidSampleContent,
                "deliveryStatus": .invalidDeliveryStatus,
            ]
            throw ServerAPIError(error.parameter.flatMap { codes[$0] } ?? .generalBadRequest, error.message)
        }
    }
}
