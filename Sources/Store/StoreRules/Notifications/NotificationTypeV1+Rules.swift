package import StoreModel

extension NotificationTypeV1 {
    /// The type by which version 1 tells what version 2 tells; nil for what it has no form of.
    ///
    /// - Parameter renews: whether it is about an auto-renewable subscription.
    package init?(_ type: NotificationType, _ subtype: NotificationSubtype?, renews: Bool) {
        let own: NotificationTypeV1? =
            switch (type, subtype) {
            case (.subscribed, .initialBuy), (.offerRedeemed, .initialBuy): .initialBuy
            // Service begins anew, at once.
            case (.subscribed, _), (.offerRedeemed, .resubscribe), (.offerRedeemed, .upgrade),
                (.didChangeRenewalPreference, .upgrade):
                .interactiveRenewal
            case (.didChangeRenewalPreference, _), (.offerRedeemed, .downgrade): .didChangeRenewalPreference
            case (.didChangeRenewalStatus, _): .didChangeRenewalStatus
            case (.didRenew, .billingRecovery): .didRecover
            case (.didRenew, _): .didRenew
            case (.didFailToRenew, _): .didFailToRenew
            case (.priceIncrease, .pending): .priceIncreaseConsent
            case (.refund, _): renews ? .cancel : .refund
            case (.revoke, _): .revoke
            case (.consumptionRequest, _): .consumptionRequest
            default: nil
            }
        guard let own else { return nil }
        self = own
    }
}

extension NotificationType {
    /// Why this store never sends a type; nil if it does.
    package var absence: String? {
        switch self {
        case .metadataUpdate, .migration, .priceChange:
            "it belongs to Advanced Commerce, which this store does not have"
        case .externalPurchaseToken: "it is about purchases outside of the store, of which this store knows nothing"
        default: isKnown ? nil : "App Store Server Notifications have no such type"
        }
    }

    /// The types that this store sends, in the order of their names.
    package static let sent = known.filter { $0.absence == nil }.map(\.rawValue).sorted()
}
