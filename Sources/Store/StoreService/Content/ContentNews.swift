import Foundation
import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreSigning

/// Tells developers' servers of new versions of hosted content, where their settings name ``NotificationType/contentVersion``.
///
/// The catalogue and the environments are databases apart. So a version is noted in the transaction of the catalogue that
/// makes an environment deliver it, and a turn of work writes the notification there. Its id comes of what it tells: a turn that
/// is repeated writes nothing more.
package struct ContentNews: Sendable {
    private let catalogue: any Database
    private let store: @Sendable (StoreEnvironment) -> EnvironmentStore?

    private static let retries = RetrySchedule.doubling(from: 5_000, upTo: 600_000, attempts: 1000)

    /// - Parameter store: the environments that are at work.
    package init(_ catalogue: any Database, in store: @escaping @Sendable (StoreEnvironment) -> EnvironmentStore?) {
        self.catalogue = catalogue
        self.store = store
    }

    package var handler: WorkHandler {
        WorkHandler(DeliveredContent.work, retries: Self.retries) { turn in
            if let delivered = DeliveredContent(subject: turn.work.subject) { try await tell(of: delivered) }
            return .done
        }
    }

    func tell(of delivered: DeliveredContent) async throws {
        let environment = delivered.environment
        let found = try await catalogue.read { transaction -> (HostedContent, AppID, NotificationContent)? in
            guard
                let content = try HostedContent.find(delivered.number, of: delivered.item, in: transaction),
                // It may have been taken back since.
                content.isKept(in: environment), let version = content.version, let archive = content.archive,
                let product = try Catalogue.product(delivered.item, in: transaction),
                let app = try Catalogue.app(product.appID, in: transaction)
            else { return nil }
            var told = NotificationContent(bundleId: app.bundleID)
            told.appAppleId = environment == .production ? app.id : nil
            told.hostedContent = NotificationContentData(
                productId: product.productID, contentVersion: version, contentLength: archive.bytes)
            return (content, app.id, told)
        }
        guard let (content, app, told) = found, let store = store(environment) else { return }
        let id = try Self.id(of: content, in: environment)
        let cause = store.cause(.store)
        try await store.database.write { transaction in
            let count = try transaction.value("SELECT count(*) FROM notification WHERE uuid = $1", id, as: Int.self)
            guard count == 0 else { return }
            try Notifications.append(
                .contentVersion, about: NotificationSubject(app: app), id: id, cause.change(of: nil, in: transaction)
            ) { told }
        }
    }

    /// The id of the notification, which is the same whenever it is written.
    static func id(of content: HostedContent, in environment: StoreEnvironment) throws -> NotificationID {
        let name =
            "\(DeliveredContent.work)/\(environment.rawValue)/\(content.item)/\(content.number)/\(content.packageDigest.text)/"
            + "\(content.begunAt.millisecondsSinceEpoch)"
        var bytes = try Array(DigestAlgorithm.sha256.digest(Array(name.utf8)).prefix(16))
        // A UUID of version 8, which is one that is made of something.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        // Safe: 16 bytes are read of an array that has 16.
        return NotificationID(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    }
}
