import Dispatch
import Foundation
import StoreCatalogue
import StoreModel
import StoreRules
import StoreServer
import StoreService
import Synchronization

/// The server of the app, as the store of a test knows it: a closure of the test.
final class TestNotificationReceiver: Sendable {
    typealias Handler = @Sendable (String) async throws -> Void

    /// Whether the present task is that in which the server is told something.
    @TaskLocal static var isTelling = false

    private struct State {
        var handler: Handler?
        var sender: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Takes the place of the one before; nil for nobody.
    func take(_ handler: Handler?) { state.withLock { $0.handler = handler } }

    /// Begins with sending, unless that has begun.
    func begin(_ start: () -> Task<Void, Never>) {
        state.withLock { state in
            if state.sender == nil { state.sender = start() }
        }
    }

    func end() async {
        let sender = state.withLock { $0.sender.take() }
        sender?.cancel()
        await sender?.value
    }

    /// Tells the server, on a thread of its own, where it may use the session.
    func tell(_ body: [UInt8]) async -> NotificationOutcome {
        struct Body: Decodable { let signedPayload: String }
        guard let handler = state.withLock({ $0.handler }) else { return NotificationOutcome(.noResponse) }
        guard let payload = try? JSONDecoder().decode(Body.self, from: Data(body)).signedPayload else {
            return NotificationOutcome(.other, detail: "The notification has no payload.")
        }
        let told = Task.detached(executorPreference: ServerThreads.shared) {
            try await TestNotificationReceiver.$isTelling.withValue(true) { try await handler(payload) }
        }
        switch await told.result {
        case .success: return NotificationOutcome(.success, status: 200)
        case .failure(let error):
            return NotificationOutcome(.unsuccessfulResponseCode, status: 500, detail: "\(error)")
        }
    }
}

/// Where the servers of apps run: those who wait for a session may have taken all the threads that tasks share.
private final class ServerThreads: TaskExecutor {
    static let shared = ServerThreads()

    private let queue = DispatchQueue(label: "StoreKitTest.server", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension TestStore {
    private static let serverAddress = "https://server.example.com/notifications"

    /// Sends notifications of the app to a closure; nil ends that.
    func sendNotifications(
        to handler: TestNotificationReceiver.Handler?, retrying: Bool, on thread: SessionThread
    ) async throws {
        notifications.take(handler)
        let settings = NotificationSettings(store)
        let cause = store.cause(.owner)
        guard handler != nil else {
            _ = try await settings.remove(app: bundle, cause)
            return
        }
        _ = try await settings.set(.init(url: Self.serverAddress, version: 2, retries: retrying), app: bundle, cause)
        let (store, receiver) = (store, notifications)
        let forms = NotificationForms(store, receipt: VerifyReceiptAnswer.unified)
        let sender = NotificationSender(
            store, name: "test", body: { try await forms.body(of: $0) }, post: { await receiver.tell($0.body) })
        receiver.begin { thread.start { await sender.run() } }
    }
}
