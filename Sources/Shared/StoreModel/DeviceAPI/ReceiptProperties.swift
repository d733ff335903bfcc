/// What an app wants its receipt to be like, to see what it makes of it. Nothing of it is true, so the sandbox alone heeds it.
package struct ReceiptProperties: Hashable, Sendable {
    package var isExpired: Bool
    package var isRevoked: Bool
    package var isVolumePurchase: Bool

    package init(isExpired: Bool = false, isRevoked: Bool = false, isVolumePurchase: Bool = false) {
        self.isExpired = isExpired
        self.isRevoked = isRevoked
        self.isVolumePurchase = isVolumePurchase
    }
}
