/// Whether the store promotes a product to the person.
@frozen public enum SKProductStorePromotionVisibility: Int, Sendable {
    /// As the developer has set it in the console.
    case `default` = 0
    /// It is shown.
    case show = 1
    /// It is hidden.
    case hide = 2
}
