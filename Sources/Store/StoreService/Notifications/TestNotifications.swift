import StoreCatalogue
import StoreDatabase
package import StoreModel

/// Test notifications, which developers ask for to see whether their server gets any.
package struct TestNotifications: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Writes one for an app, whatever types its address wants. It is refused where nobody would get it.
    package func request(for bundle: BundleID, _ cause: ChangeCause) async throws -> ListedNotification {
        try cause.require(.secrets)
        guard let app = try await store.catalogue.lookUp({ try Catalogue.app(bundle, in: $0) }),
            cause.actor.team == nil || cause.actor.team == app.teamID
        else {
            throw ServiceError(.appUnknown, "the store has no app \(bundle)", parameter: "bundleId")
        }
        var content = NotificationContent(bundleId: bundle)
        if store.environment == .production { content.appAppleId = app.id }
        let (told, work) = (content, cause.working(on: .secrets))
        return try await store.database.write { transaction in
            if let setting = try NotificationSetting.find(of: app.id, in: transaction), !setting.takesTests {
                throw ServiceError(.noNotificationAddress, NotificationSetting.withoutTests)
            }
            let change = try work.change(of: nil, in: transaction)
            let written = try Notifications.append(
                .test, about: NotificationSubject(app: app.id), isWanted: true, change
            ) {
                told
            }
            guard let written else {
                throw ServiceError(
                    .noNotificationAddress,
                    "the app has no address for notifications in this environment, and nobody listens")
            }
            return try ListedNotification(written, in: transaction)
        }
    }
}
