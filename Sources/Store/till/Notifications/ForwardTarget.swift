import CommandOptions
import Foundation
import StoreModel
import StoreServer
import StoreService

/// A server on the developer's machine or network, to which notifications are posted as the store posts them.
struct ForwardTarget: Sendable {
    let url: String
    private let client = NotificationClient(reachingPrivateAddresses: true)

    /// What became of a notification there, and how long that took.
    struct Outcome: Sendable {
        let outcome: NotificationOutcome
        let milliseconds: Int
    }

    init(_ url: String) throws {
        guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false, parts.fragment == nil
        else {
            throw CommandFailure(.usage, "--forward-to is an address, such as http://localhost:3000/till")
        }
        self.url = url
    }

    func close() async { await client.shutDown() }

    /// Posts a notification, once.
    func post(_ heard: HeardNotificationReport) async throws -> Outcome {
        let start = SystemClock.nanoseconds()
        let outcome = try await client.post(
            NotificationRequest(
                app: heard.appId, customer: heard.customerId, id: heard.notificationUUID, url: url,
                body: Array(heard.body.utf8)))
        return Outcome(outcome: outcome, milliseconds: Int((SystemClock.nanoseconds() - start) / 1_000_000))
    }
}
