import StoreModel

/// A request to bring the receipt of the app up to date.
// Safe: the properties are taken over once and only read.
open class SKReceiptRefreshRequest: SKRequest, @unchecked Sendable {
    private let properties: [String: Any]?

    /// Makes a request for a receipt that the sandbox gives these properties.
    public init(receiptProperties properties: [String: Any]?) {
        self.properties = properties
        super.init()
    }

    /// Makes a request for the receipt as it is.
    public override init() {
        properties = nil
        super.init()
    }

    /// What the receipt is to be like; the sandbox alone heeds it.
    open var receiptProperties: [String: Any]? { properties }

    override func makeWork() -> (@Sendable () async -> Answer)? {
        let wanted = receiptProperties ?? [:]
        let properties = ReceiptProperties(
            isExpired: Self.isTrue(wanted[SKReceiptPropertyIsExpired]),
            isRevoked: Self.isTrue(wanted[SKReceiptPropertyIsRevoked]),
            isVolumePurchase: Self.isTrue(wanted[SKReceiptPropertyIsVolumePurchase]))
        let session = CurrentSession.session
        return {
            do throws(SKError) {
                try await session.refreshReceipt(properties)
                return .done
            } catch {
                return .failure(error)
            }
        }
    }

    private static func isTrue(_ value: Any?) -> Bool {
        (value as? Bool) ?? (value as? NSNumber)?.boolValue ?? false
    }
}
