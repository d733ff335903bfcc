/// The numbers of the attributes of one purchase within an app receipt.
enum PurchaseAttribute {
    static let quantity: Int64 = 1701
    static let productID: Int64 = 1702
    static let transactionID: Int64 = 1703
    static let purchaseDate: Int64 = 1704
    static let originalTransactionID: Int64 = 1705
    static let originalPurchaseDate: Int64 = 1706
    static let productKind: Int64 = 1707
    static let expirationDate: Int64 = 1708
    static let reservedText: Int64 = 1709
    static let reservedZero: Int64 = 1710
    static let webOrderLineItemID: Int64 = 1711
    static let cancellationDate: Int64 = 1712
    static let isTrialPeriod: Int64 = 1713
    static let reservedTexts: ClosedRange<Int64> = 1714...1718
    static let isInIntroductoryPeriod: Int64 = 1719
    static let cancellationReason: Int64 = 1720
    static let promotionalOfferID: Int64 = 1721
    static let lastReservedZero: Int64 = 1722

    /// The numbers that are written with their usual content and skipped in reading.
    static func isReserved(_ type: Int64) -> Bool {
        switch type {
        case reservedText, reservedZero, lastReservedZero, reservedTexts: true
        default: false
        }
    }
}
