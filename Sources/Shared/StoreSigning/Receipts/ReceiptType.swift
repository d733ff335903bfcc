package import StoreModel

/// Which kind of store made an app receipt; unknown kinds are kept as they are.
package struct ReceiptType: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let production = ReceiptType(rawValue: "Production")
    package static let sandbox = ReceiptType(rawValue: "ProductionSandbox")
    package static let volumePurchase = ReceiptType(rawValue: "ProductionVPP")
    package static let volumePurchaseSandbox = ReceiptType(rawValue: "ProductionVPPSandbox")

    package init(_ environment: StoreEnvironment) {
        self = environment == .production ? .production : .sandbox
    }

    /// The environment whose `verifyReceipt` answers for the receipt; nil for kinds made elsewhere, such as `Xcode`.
    package var environment: StoreEnvironment? {
        switch self {
        case .production, .volumePurchase: .production
        case .sandbox, .volumePurchaseSandbox: .sandbox
        default: nil
        }
    }
}
