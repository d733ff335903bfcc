// The names of its globals are those of Apple's platforms.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

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
            do throws(SessionFailure) {
                try await session.refreshReceipt(properties)
                return .done
            } catch {
                return .failure(SKError(error))
            }
        }
    }

    private static func isTrue(_ value: Any?) -> Bool {
        (value as? Bool) ?? (value as? NSNumber)?.boolValue ?? false
    }
}

/// Asks the sandbox for a receipt that has expired; a number that is true or false.
public let SKReceiptPropertyIsExpired: String = "expired"

/// Asks the sandbox for a receipt that was revoked; a number that is true or false.
public let SKReceiptPropertyIsRevoked: String = "revoked"

/// Asks the sandbox for a receipt of a volume purchase; a number that is true or false.
public let SKReceiptPropertyIsVolumePurchase: String = "vpp"

/// Ends an app whose receipt is not valid, with the exit status 173.
public func SKTerminateForInvalidReceipt() {
    SessionLog.write("the app ends because its receipt is not valid")
    exit(173)
}

extension Bundle {
    /// Where the receipt of the app lies; the file need not be there yet.
    ///
    /// This is what `appStoreReceiptURL` answers too, as long as Foundation lets StoreKit answer for it. Only the main
    /// bundle has a receipt. Not known on Apple's platforms.
    public var storeReceiptURL: URL? {
        self === Bundle.main ? CurrentSession.session.receiptURL : nil
    }

    /// What BundleReceipt.c puts in the place of Foundation's getter: a method is called the way a getter is.
    @_silgen_name("storekit_receipt_getter")
    @usableFromInline func answerForReceipt() -> URL? { storeReceiptURL }
}
