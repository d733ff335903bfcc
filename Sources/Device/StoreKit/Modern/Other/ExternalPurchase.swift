public import Foundation

// Purchases outside the store need a program of Apple's that this store does not have. So nothing of it can be presented, and
// what is called all the same fails as it does on a device without the program.

/// Purchases that the app takes by itself, after a notice of the store.
public enum ExternalPurchase: Sendable {
    /// What the customer did with the notice.
    public enum NoticeResult: Equatable, Hashable, Sendable {
        /// The customer does not want to go on.
        case cancelled
        /// The customer goes on, with a token for the store's reports.
        case continuedWithExternalPurchaseToken(token: String)
    }

    /// Whether the notice can be shown: never.
    public static var canPresent: Bool {
        get async { false }
    }

    /// Fails with ``StoreKitError/unsupported``.
    public static func presentNoticeSheet() async throws -> NoticeResult {
        throw StoreKitError.unsupported
    }
}

/// Links to purchases on the developer's pages.
public enum ExternalPurchaseLink: Sendable {
    /// Whether a link can be opened: never.
    public static var canOpen: Bool {
        get async { false }
    }

    /// The addresses that can be opened: there are none.
    public static var eligibleURLs: [URL]? {
        get async { nil }
    }

    /// Fails with ``StoreKitError/unsupported``.
    public static func open() async throws {
        throw StoreKitError.unsupported
    }

    /// Fails with ``StoreKitError/unsupported``.
    public static func open(url: URL) async throws {
        throw StoreKitError.unsupported
    }
}

/// Links to purchases on the developer's pages that the app shows by itself.
public enum ExternalPurchaseCustomLink: Sendable {
    /// What the customer did with the notice.
    public enum NoticeResult: Equatable, Hashable, Sendable {
        /// The customer does not want to go on.
        case cancelled
        /// The customer goes on.
        case continued
    }

    /// Where the purchase takes place.
    public enum NoticeType: Int, Equatable, Hashable, Sendable {
        /// In the app.
        case withinApp
        /// In a browser.
        case browser
    }

    /// What the developer's reports to the store name a customer by.
    public struct Token: Equatable, Hashable, Sendable {
        /// The token.
        public let value: String
    }

    /// Whether the app may use such links: never.
    public static var isEligible: Bool {
        get async { false }
    }

    /// Fails with ``StoreKitError/unsupported``.
    public static func showNotice(type: NoticeType) async throws -> NoticeResult {
        throw StoreKitError.unsupported
    }

    /// Fails with ``StoreKitError/unsupported``.
    public static func token(for tokenType: String) async throws -> Token? {
        throw StoreKitError.unsupported
    }
}

/// The link of a reader app to the pages on which customers manage their accounts.
public enum ExternalLinkAccount: Sendable {
    /// Whether it can be opened: never.
    public static var canOpen: Bool {
        get async { false }
    }

    /// Fails with ``StoreKitError/unsupported``.
    public static func open() async throws {
        throw StoreKitError.unsupported
    }
}
