/// The limits of what `verifyReceipt` takes.
package enum VerifyReceiptLimits {
    /// A body: the largest receipt in Base64, in lines, and some room for what stands around it.
    package static let bodyBytes = 5 * 1024 * 1024
    /// Objects and arrays within one another.
    static let depth = 32
    /// A password; those of the store have 32 characters.
    static let passwordBytes = 256
}
