public import Foundation
import StoreModel

extension Transaction {
    /// The commitment of a subscription that is billed by the month.
    public struct CommitmentInfo: Equatable, Hashable, Sendable {
        /// Which of the billing periods this is, from 1.
        public let billingPeriodNumber: UInt64
        /// How many billing periods the commitment has.
        public let totalBillingPeriods: UInt64
        /// When the commitment ends.
        public let expirationDate: Date
        /// The price of the whole commitment.
        public let price: Decimal

        /// As the payload has it.
        typealias Wire = TransactionCommitmentInfo

        /// Nil unless the store has said all of it.
        init?(_ wire: Wire) {
            guard let number = wire.billingPeriodNumber.flatMap({ UInt64(exactly: $0) }),
                let total = wire.totalBillingPeriods.flatMap({ UInt64(exactly: $0) }),
                let end = wire.commitmentExpiresDate, let price = wire.commitmentPrice
            else { return nil }
            billingPeriodNumber = number
            totalBillingPeriods = total
            expirationDate = end.date
            self.price = Decimal(price) / 1000
        }
    }
}
