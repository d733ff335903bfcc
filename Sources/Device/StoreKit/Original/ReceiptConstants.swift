// The names of its globals are those of Apple's platforms.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

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
