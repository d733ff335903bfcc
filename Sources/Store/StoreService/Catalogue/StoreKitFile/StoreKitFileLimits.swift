/// The limits of files that products are imported from. The largest public ones have 30 kilobytes and 25 products.
package enum StoreKitFileLimits {
    /// The whole file, in bytes.
    package static let bytes = 4 << 20
    /// Products of all kinds in one file.
    package static let products = 1000
    /// Groups of subscriptions.
    package static let groups = 500
    /// The versions of the format that are read, by their first number.
    package static let versions = 1...5
}
