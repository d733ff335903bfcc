import Foundation
import StoreHTTPClient
package import StoreModel
import Synchronization

/// The engine below the original API: one app on one device, with one environment of a store.
///
/// What is to be told goes through ``PaymentQueue`` and comes from the journal; what talks to the store runs in tasks and
/// writes to the journal. The two meet in ``bringUpToDate(all:)`` alone.
package final class DeviceSession: Sendable {
    let settings: SessionSettings
    package let device: RegisteredDevice
    package let journal: Journal
    let receipt: ReceiptFile
    let presence: ProcessPresence
    let lease: SessionLease
    let promotions: PromotionFolder
    /// The start of the app and news of its folder look for promotions at one time; their order is that of their files.
    let promoting = Turns()
    /// The answer to a payment and the events tell of a transaction at one time; whoever is first gets what belongs to it.
    let arrivals = Turns()
    let tasks: SessionTasks
    /// Wakes the task that watches the store.
    let bell = Bell()
    let finishing = SingleFlight()
    let trouble: TroubleLog
    let titles = Mutex<[String: String]>([:])
    private let queue = Mutex(QueueState())
    /// What the store refuses to tell of is not asked for again in this run.
    let stuckPromotions = Mutex<[ClaimedPromotion]>([])
    private let watches = Mutex<[FolderWatch]>([])
    private let follower = Mutex<Task<Void, Never>?>(nil)

    struct QueueState {
        var rules = PaymentQueue()
        var sink: (@Sendable (SessionNews) -> Void)?
        /// The last change of the journal that the rules know of; nil before the first reading.
        var change: Int64?
        var resetCount = 0
    }

    package init(_ settings: SessionSettings) throws {
        self.settings = settings
        tasks = SessionTasks(on: settings.executor)
        let profile = settings.profile
        let folder = settings.folders.folder(of: profile.bundle)
        let environment = profile.content.environment
        let own = folder + "/\(environment.rawValue)-\(profile.store)"
        try PrivateFile.makeFolder(own)
        let identity = try DeviceIdentity(of: profile.bundle, in: folder, machine: settings.machine)
        journal = try Journal(
            at: own + "/journal.sqlite", report: settings.report, observer: settings.journalObserver)
        try journal.believe(profile.content.jwsRoots.joined(separator: " "))
        device = RegisteredDevice(
            profile, identity: identity, journal: journal, connection: settings.connection,
            description: settings.description, preferences: settings.preferences, wall: settings.wall)
        trouble = TroubleLog(profile.content.storeUrl, report: settings.report)
        receipt = ReceiptFile(in: folder, environment, device)
        lease = SessionLease(own)
        presence = try ProcessPresence(in: lease.folder)
        promotions = PromotionFolder(of: profile.bundle, in: settings.folders)
        try PrivateFile.makeFolder(promotions.path)
        // Those who hear of the closing of a lease or of a wake are not to hear of every page of the journal.
        let heard = FolderWatch(lease.folder, except: presence.file) { [weak self] in self?.othersChangedSomething() }
        let promoted = FolderWatch(promotions.path) { [weak self] in self?.lookForPromotions() }
        watches.withLock { $0 = [heard, promoted].compactMap(\.self) }
        device.onStorefrontChange { [weak self] in self?.handle(.storefrontChanged) }
    }

    /// Ends all that the session does; what is under way is in the journal and goes on with the next one.
    package func shutDown() async {
        watches.withLock { $0 = [] }
        await tasks.shutDown()
        presence.end()
        lease.release()
    }

    /// Takes in what happened, tells what is to be told, and starts what is to be done.
    func handle(_ event: PaymentQueue.Event) {
        queue.withLock { state in
            perform(state.rules.handle(event), &state)
        }
    }

    /// Brings the queue up to date with the journal.
    ///
    /// - Parameter all: looks at everything that waits for the app, not only at what changed.
    func bringUpToDate(all: Bool = false) {
        queue.withLock { update(&$0, all: all) }
    }

    /// Everything that is not finished.
    package var entries: [QueueEntry] {
        queue.withLock { state in
            if state.change == nil { update(&state, all: true) }
            return state.rules.entries
        }
    }

    package var isAttached: Bool { queue.withLock { $0.rules.isAttached } }
    var isRestoring: Bool { queue.withLock { $0.rules.isRestoring } }

    /// Begins a purchase: when this returns, the journal has it, and whoever is attached was told.
    ///
    /// - Parameter refusal: why it cannot be sent at all.
    package func add(product: String, quantity: Int, username: String?, refusal: SessionFailure? = nil) {
        var payment = JournalPayment(
            key: PurchaseKey(UUID()), product: product, quantity: quantity, username: username,
            owner: presence.name, addedAt: settings.wall())
        queue.withLock { state in
            if state.change == nil { update(&state, all: true) }
            do {
                if let refusal { throw refusal }
                payment = try journal.keep(payment)
                perform(state.rules.handle(.added(payment)), &state)
            } catch {
                // What is not in the journal is never sent.
                payment.number = .max
                let told = state.rules.handle(.added(payment)).filter { $0 != .send(payment.key) }
                perform(told, &state)
                let failure = error as? SessionFailure ?? .journal(error)
                perform(state.rules.handle(.failed(payment.key, failure)), &state)
            }
        }
        presence.wakeOthers()
    }

    /// Puts an end to an entry; nothing for one that is unknown or still open.
    package func finish(_ key: QueueEntry.Key) {
        queue.withLock { state in
            guard let entry = state.rules.entries.first(where: { $0.key == key }), !entry.isOpen else { return }
            do {
                if let id = entry.bought?.id {
                    try journal.finish(id)
                } else if let payment = PurchaseKey(key) {
                    try journal.forget(payment)
                }
                perform(state.rules.handle(.finish(key)), &state)
            } catch {
                // It is not finished then, and comes again.
                settings.report("a transaction could not be finished: \(error)")
            }
        }
        presence.wakeOthers()
    }

    /// Begins a restore, unless one is running.
    package func restore(username: String?) {
        queue.withLock { state in
            let actions = state.rules.handle(.restoreAsked)
            if actions.contains(.restore) {
                tasks.start { [weak self] in await self?.runRestore(username: username) }
            } else {
                settings.report("a restore is running already; the second one is ignored")
            }
        }
    }

    /// Tells somebody everything from now on, and first what waits for the app at this moment.
    package func attach(telling sink: @escaping @Sendable (SessionNews) -> Void) {
        queue.withLock { state in
            update(&state, all: true)
            state.sink = sink
            sink(.attached(state.rules.entries))
            perform(state.rules.handle(.attached), &state)
        }
    }

    /// Tells nobody anything any more. Payments go on.
    package func detach() {
        queue.withLock { state in
            perform(state.rules.handle(.detached), &state)
            state.sink = nil
        }
        follower.withLock { follower in
            follower?.cancel()
            follower = nil
        }
    }

    /// Whether the app may sell anything here.
    package var canMakePayments: Bool {
        settings.preferences().purchasesAllowed && device.answer?.purchasesAllowed ?? true
    }

    package var storefront: StorefrontValue? { device.answer.map { StorefrontValue($0.storefront) } }

    /// Whether the store can be reached: as it is and every change of it.
    package var network: NetworkStatusSource { device.network }

    /// The time of the environment, by which entitlements are judged.
    package var environmentTime: Instant { device.environmentTime }

    /// What the store calls this device, once it has made itself known.
    package var deviceID: DeviceID? { device.answer?.deviceId }

    /// Tells whoever is attached something that the rules do not know of.
    func tell(_ news: SessionNews) {
        queue.withLock { $0.sink?(news) }
    }

    /// Asks whoever is attached; yes where nobody is.
    func ask(_ question: (@escaping @Sendable (Bool) -> Void) -> SessionNews) async -> Bool {
        await withCheckedContinuation { continuation in
            let sink = queue.withLock { $0.sink }
            guard let sink else { return continuation.resume(returning: true) }
            sink(question { continuation.resume(returning: $0) })
        }
    }

    private func othersChangedSomething() {
        bringUpToDate()
        bell.ring()
    }
}

extension DeviceSession {
    private func perform(_ actions: [PaymentQueue.Action], _ state: inout QueueState) {
        for action in actions {
            switch action {
            case .tell(let entries): state.sink?(.updated(entries))
            case .tellRemoved(let keys): state.sink?(.removed(keys))
            case .tellRestoreFinished: state.sink?(.restoreFinished)
            case .tellRestoreFailed(let failure): state.sink?(.restoreFailed(failure))
            case .tellRevoked(let products): state.sink?(.revoked(products))
            case .tellStorefrontChanged: state.sink?(.storefrontChanged)
            case .send(let key): tasks.start { [weak self] in await self?.purchase(key) }
            case .resume(let key): tasks.start { [weak self] in await self?.resume(key) }
            case .restore: break
            case .acknowledge: tasks.start { [weak self] in await self?.tellFinishes() }
            case .follow: follow()
            }
        }
    }

    private func follow() {
        follower.withLock { follower in
            guard follower == nil else { return }
            tasks.start { [weak self] in await self?.offerPromotions() }
            follower = tasks.start { [weak self] in await self?.watchStore() }
        }
    }

    /// Reads the journal and lets the rules know what is new in it.
    private func update(_ state: inout QueueState, all: Bool) {
        let news: JournalNews
        do {
            if journal.resetCount != state.resetCount {
                state.resetCount = journal.resetCount
                state.change = nil
            }
            news = try journal.news(after: all ? nil : state.change)
        } catch {
            settings.report("the journal of purchases cannot be read: \(error)")
            return
        }
        let former = all ? nil : state.change
        state.change = news.change
        let actions = JournalReading(news, state.rules, presence: presence, profile: settings.profile)
            .events(isResponsible: all || lease.isHeld, isFirst: former == nil)
        for event in actions { perform(state.rules.handle(event), &state) }
    }
}
