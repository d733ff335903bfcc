import Foundation
import StoreFoundation
import StoreHTTP
import StoreHTTPClient
import StoreModel
import Synchronization

/// The engine below the original API: one app on one device, with one environment of a store.
///
/// Transactions reach the journal in one way, ``take(_:)``, and the sinks hear of nothing that is not in the journal:
/// ``bringUpToDate(all:)`` reads it and lets ``PaymentQueue`` decide what is told and done. What talks to the store runs in
/// tasks and writes to the journal.
package final class DeviceSession: OriginalSession {
    let settings: SessionSettings
    package let device: RegisteredDevice
    package let journal: Journal
    let verifier: TransactionVerifier
    /// Verifies what the modern API hands out.
    let signed: SignedValueVerifier
    /// Whether groups of subscriptions are new to the customer, as was answered first.
    let eligibility = Mutex<[String: Bool]>([:])
    let receipt: ReceiptFile
    let presence: ProcessPresence
    let lease: SessionLease
    let promotions: PromotionFolder
    let contents: ContentFolder
    /// The start of the app and a change of the folder look for promotions at one time; their order is that of their files.
    let promoting = SerialQueue()
    /// Deliveries are taken in one after the other: the answer to a payment and the events tell of a transaction at one time,
    /// and the first gets the receipts that belong to it.
    let deliveries = SerialQueue()
    /// Questions about higher prices come one after the other.
    let pricing = SerialQueue()
    let tasks: SessionTasks
    /// Wakes the task that watches the store.
    let wake = Signal()
    let finishing = SingleFlight()
    let trouble: TroubleLog
    let queue: Mutex<QueueState>
    /// What the store refuses to tell of is not asked for again in this run.
    let stuckPromotions = Mutex<[ClaimedPromotion]>([])
    private let watches = Mutex<[FolderWatch]>([])
    private let follower = Mutex<Task<Void, Never>?>(nil)

    struct QueueState {
        var rules = PaymentQueue()
        var downloads = DownloadQueue()
        /// The tasks that are busy with downloads.
        var fetches: [TransactionID: Task<Void, Never>] = [:]
        /// Whether the developer knows that a simulator has no downloads.
        var isSimulatorTold = false
        var sinks: [SessionSink] = []
        /// News that came while there was no sink.
        var waiting: [SessionNews] = []
        /// The last change of the journal that the rules know of; nil after the journal was replaced.
        var change: Int64?
        /// Whether what waited in the journal at the start is known.
        var isRead = false
        /// Whether consumables of an earlier process wait for the store's word: another device may have them by now.
        var isHeldBack = false
        var resetCount = 0
        var calls = PurchaseCalls()
    }

    package init(_ settings: SessionSettings) throws {
        self.settings = settings
        tasks = SessionTasks(on: settings.executor)
        let profile = settings.profile
        verifier = TransactionVerifier(profile, observer: settings.verificationObserver)
        let folder = settings.folders.folder(of: profile.bundle)
        let environment = profile.content.environment
        let own = folder + "/\(environment.rawValue)-\(profile.store)"
        try PrivateFile.makeFolder(own)
        let identity = try DeviceIdentity(of: profile.bundle, in: folder, machine: settings.machine)
        journal = try Journal(
            at: own + "/journal.sqlite", report: settings.report, observer: settings.journalObserver)
        let simulatedFailure = settings.simulatedFailure
        signed = SignedValueVerifier(profile, device: identity.device, failure: { simulatedFailure?(.verification) })
        // What was signed before payloads were tied to devices is read anew.
        try journal.believe((profile.content.jwsRoots + ["device"]).joined(separator: " "))
        let ownUntil = try journal.value(.ownUntil).flatMap { Int64($0) } ?? 0
        queue = Mutex(
            QueueState(
                change: try journal.lastChange(), isHeldBack: ownUntil <= settings.wall().millisecondsSinceEpoch,
                resetCount: journal.resetCount))
        device = RegisteredDevice(
            profile, identity: identity, journal: journal, connection: settings.connection,
            description: settings.description, preferences: settings.preferences, wall: settings.wall,
            paymentsMayAsk: settings.paymentsMayAsk)
        trouble = TroubleLog(profile.content.storeUrl, report: settings.report)
        receipt = ReceiptFile(in: folder, environment, device)
        contents = ContentFolder(of: folder, store: "\(environment.rawValue)-\(profile.store)")
        for entry in try journal.downloads() where !entry.isOver && entry.state == .finished {
            // Caches may be removed by anybody; the content can be had again.
            if contents.content(of: entry) == nil { try journal.forgetDownload(of: entry.transaction) }
        }
        lease = SessionLease(own)
        presence = try ProcessPresence(in: lease.folder)
        promotions = PromotionFolder(of: profile.bundle, in: settings.folders)
        try PrivateFile.makeFolder(promotions.path)
        // The closing of a lease or of a process's file is a change of this folder, a page of the journal is not.
        let heard = FolderWatch(lease.folder, except: presence.file) { [weak self] in self?.othersChangedSomething() }
        let promoted = FolderWatch(promotions.path) { [weak self] in self?.lookForPromotions() }
        watches.withLock { $0 = [heard, promoted].compactMap(\.self) }
        device.onStorefrontChange { [weak self] in self?.handle(.storefrontChanged) }
        device.onSignIn { [weak self] in self?.noteSignIn() }
    }

    /// Ends all that the session does; what is under way is in the journal and goes on with the next one.
    package func shutDown() async {
        watches.withLock { $0 = [] }
        queue.withLock { $0.calls.end() }
        await tasks.shutDown()
        presence.end()
        lease.release()
    }

    private func othersChangedSomething() {
        journal.noteChange()
        bringUpToDate()
        wake.raise()
    }
}

// MARK: What the sinks are told

extension DeviceSession {
    package func attach(_ sink: SessionSink) {
        queue.withLock { state in
            update(&state, all: true)
            state.sinks.insert(sink, at: sink.answers == nil ? state.sinks.endIndex : 0)
            sink.tell(.attached(withDownloads(state.rules.entries, &state)))
            for news in state.waiting { sink.tell(news) }
            // Only the queue of the original API tells observers what waited.
            if sink.answers == nil { state.waiting = [] }
            if sink.answers != nil { sink.tell(.heard) }
        }
        follower.withLock { follower in
            guard follower == nil else { return }
            tasks.start { [weak self] in
                await self?.settleFormerVisit()
                await self?.offerPromotions()
            }
            follower = tasks.start { [weak self] in await self?.watchStore() }
        }
    }

    package func detach(_ sink: SessionSink) {
        let isLast = queue.withLock { state in
            state.sinks.removeAll { $0 === sink }
            return state.sinks.isEmpty
        }
        guard isLast else { return }
        follower.withLock { follower in
            follower?.cancel()
            follower = nil
        }
    }

    package var isAttached: Bool { queue.withLock { !$0.sinks.isEmpty } }

    /// Whether a sink takes what was chosen outside the app.
    var takesPromotions: Bool { queue.withLock { Self.sink(for: .promotion, $0) } != nil }

    private static func sink(for question: SessionSink.Question, _ state: borrowing QueueState) -> SessionSink? {
        state.sinks.first { $0.answers?(question) ?? true }
    }

    /// Whether the app goes on in another storefront, as `purchase(options:)` was told; nil where it was told nothing.
    func mayContinue(_ key: PurchaseKey, in storefront: StorefrontAnswer) -> Bool? {
        queue.withLock { $0.calls.questions[key] }.map { $0(storefront) }
    }

    /// Offers a product that was chosen outside the app; where no sink is attached it waits in its file.
    func offer(_ product: ProductRecord, settled: @escaping @Sendable () -> Void) {
        queue.withLock { Self.sink(for: .promotion, $0) }?.tell(.promoted(product, settled: settled))
    }

    /// Asks the first sink; the answer is yes where there is none.
    func ask(
        _ kind: SessionSink.Question, _ question: (@escaping @Sendable (Bool) -> Void) -> SessionNews
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            guard let sink = queue.withLock({ Self.sink(for: kind, $0) }) else {
                return continuation.resume(returning: true)
            }
            sink.tell(question { continuation.resume(returning: $0) })
        }
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

    /// Tells what was held back.
    func letGo() {
        queue.withLock { state in
            guard state.isHeldBack else { return }
            state.isHeldBack = false
            update(&state, all: true)
        }
    }

    /// Lets the sinks look at what the store has told.
    func tellHeard() {
        queue.withLock { state in
            for sink in state.sinks where sink.answers != nil { sink.tell(.heard) }
        }
    }

    private func tell(_ news: SessionNews, _ state: inout QueueState) {
        // A sink of its own questions is none for what observers are told.
        if !state.sinks.contains(where: { $0.answers == nil }), news.waitsForSink { state.waiting.append(news) }
        for sink in state.sinks { sink.tell(news) }
    }

    func perform(_ actions: [PaymentQueue.Action], _ state: inout QueueState) {
        for action in actions {
            switch action {
            case .tell(let entries):
                let told = withDownloads(entries, &state)
                tell(.updated(told), &state)
                state.calls.answer(told)
            case .tellRemoved(let keys): tell(.removed(keys), &state)
            case .tellRestoreFinished: tell(.restoreFinished, &state)
            case .tellRestoreFailed(let failure): tell(.restoreFailed(failure), &state)
            case .tellRevoked(let products): tell(.revoked(products), &state)
            case .tellStorefrontChanged: tell(.storefrontChanged, &state)
            case .send(let key): tasks.start { [weak self] in await self?.purchase(key) }
            case .resume(let key): tasks.start { [weak self] in await self?.resume(key) }
            case .restore(let username): tasks.start { [weak self] in await self?.runRestore(username: username) }
            case .acknowledge: tasks.start { [weak self] in await self?.tellFinishes() }
            }
        }
    }

    // MARK: Downloads

    /// Takes in what happened to downloads, as ``handle(_:)-(PaymentQueue.Event)`` does for payments.
    func handle(_ event: DownloadQueue.Event) {
        queue.withLock { state in perform(state.downloads.handle(event), &state) }
    }

    func readDownloads(_ state: inout QueueState) {
        if let rows = try? journal.downloads() { takeIn(rows, &state) }
    }

    private func takeIn(_ rows: [DownloadEntry], _ state: inout QueueState) {
        let event = DownloadQueue.Event.read(rows, isResponsible: lease.isHeld, purgeable: purgeable(rows))
        perform(state.downloads.handle(event), &state)
    }

    private func perform(_ actions: [DownloadQueue.Action], _ state: inout QueueState) {
        for action in actions {
            switch action {
            case .tell(let entries): tell(.downloads(entries.map(located)), &state)
            case .fetch(let id): occupy(id, &state) { await $0.fetch(id) }
            case .clear(let entry): occupy(entry.transaction, &state) { await $0.clear(entry) }
            case .stop(let id): state.fetches[id]?.cancel()
            }
        }
    }

    /// Does something with a download in a task of its own, and then looks what else there is to do.
    private func occupy(
        _ id: TransactionID, _ state: inout QueueState, _ body: @escaping @Sendable (DeviceSession) async -> Void
    ) {
        state.fetches[id] = tasks.start { [weak self] in
            if let self { await body(self) }
            self?.queue.withLock { $0.fetches[id] = nil }
            self?.handle(.ended(id))
            self?.bringUpToDate()
        }
    }

    /// Entries with their downloads as they are now. A simulator has none, and its developer is told so once.
    func withDownloads(_ entries: [QueueEntry], _ state: inout QueueState) -> [QueueEntry] {
        entries.map { entry in
            var entry = entry
            entry.audience = state.calls.audience(of: entry)
            guard let bought = entry.bought, let download = state.downloads.entry(of: bought) else { return entry }
            guard !isSimulator else {
                if !state.isSimulatorTold { settings.report(Self.noDownloads) }
                state.isSimulatorTold = true
                return entry
            }
            entry.download = located(download)
            return entry
        }
    }

    private func located(_ entry: DownloadEntry) -> DownloadEntry {
        var entry = entry
        if entry.state == .finished { entry.location = contents.content(of: entry) }
        return entry
    }

    private static let noDownloads =
        "this device behaves as a simulator, which has no hosted content: transactions have no downloads."

    func readAtStart(_ state: inout QueueState) {
        if !state.isRead { update(&state, all: true) }
    }

    private func update(_ state: inout QueueState, all: Bool) {
        // Revocations are among the changes, not among what waits.
        if all, state.change != nil { read(&state, all: false) }
        read(&state, all: all)
    }

    /// Reads the journal and lets the rules know what is new in it.
    private func read(_ state: inout QueueState, all: Bool) {
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
        let readsAll = all || state.change == nil
        state.change = news.change
        state.isRead = state.isRead || readsAll
        takeIn(news.downloads, &state)
        let events = JournalReading(news, state.rules, presence: presence, verifier: verifier)
            .events(isResponsible: all || lease.isHeld, isFirst: readsAll, isHeldBack: state.isHeldBack)
        for event in events { perform(state.rules.handle(event), &state) }
    }
}
