package import StoreModel

/// What an import did.
package struct ImportReport: Codable, Hashable, Sendable {
    package let bundleId: BundleID
    package let appId: AppID
    /// Whether the app was new.
    package let isNewApp: Bool
    package let added: [ProductID]
    package let changed: [ProductID]
    package let unchanged: [ProductID]
    /// Products of the app that the file does not have; they stay as they are.
    package let kept: [ProductID]
    /// What the file has and the catalogue does not take, in words, and how much of it.
    package let omitted: [String: Int]
}
