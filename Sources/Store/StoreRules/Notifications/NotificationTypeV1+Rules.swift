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
