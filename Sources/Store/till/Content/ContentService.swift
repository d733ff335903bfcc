import CommandOptions
import Foundation
import StoreCatalogue
import StoreDatabase
import StoreFoundation
import StoreLog
import StoreModel
import StoreService

/// The part of a running store that looks after hosted content: it processes what was uploaded and removes what nobody needs.
struct ContentService: Sendable {
    private let databases: StoreDatabases
    private let environments: StoreEnvironments
    private let blobs: OpenBlobs
    private let processing: ContentProcessing
    private let news: ContentNews
    /// What looks for damaged blobs.
    let scrub: BlobScrub
    private let log: Log

    init(
        _ databases: StoreDatabases, _ environments: StoreEnvironments, _ directory: DataDirectory, _ blobs: OpenBlobs,
        _ log: Log
    ) {
        (self.databases, self.environments) = (databases, environments)
        news = ContentNews(databases.catalogue) { environments[$0] }
        self.blobs = blobs
        self.log = log
        processing = ContentProcessing(
            databases.catalogue, blobs: { try blobs.open() }, folder: directory.packagesPath, wall: SystemClock.now,
            log: log)
        scrub = BlobScrub(databases.catalogue, blobs: { try blobs.open() }, log: log)
    }

    /// Works until the task is cancelled.
    ///
    /// - Parameter address: where the pages of an environment are.
    func run(address: @escaping @Sendable (StoreEnvironment) -> StoreAddress?) async {
        let upkeep = ContentUpkeep(databases, blobs: { [blobs] in try blobs.open() })
        let retries = RetrySchedule.doubling(from: 60_000, upTo: 3_600_000, attempts: 100_000)
        let handlers =
            [
                processing.handler, news.handler,
                WorkHandler(ContentUpkeep.work, retries: retries) { turn in
                    try await endStaleUploads()
                    return .again(at: try await upkeep.turn(at: turn.at))
                },
                WorkHandler(BlobScrub.work, retries: retries) { [scrub] turn in
                    .again(at: try await scrub.turn(at: turn.at))
                },
            ] + feedHandlers(retries, address)
        do {
            try await ContentUpkeep.begin(at: SystemClock.now(), in: databases.catalogue)
            try await endStaleUploads()
            try await scrub.begin(at: SystemClock.now())
            for feeds in StoreEnvironment.allCases.compactMap(feeds) {
                try await feeds.followCalendar(at: SystemClock.now())
            }
        } catch  where !Task.isCancelled {
            log.warning("content.upkeep", "Hosted content is not looked after yet.", ["reason": "\(error)"])
        } catch {
            return
        }
        let waiters = SignalWaiters()
        let place = waiters.place(for: ContentProcessing.topic.name, on: ContentProcessing.topic)
        await withTaskGroup { group in
            group.addTask { [databases] in try? await waiters.follow(ContentProcessing.topic, of: databases.catalogue) }
            group.addTask { [databases, log] in
                await WorkLoop(
                    handlers, of: databases.catalogue, called: "catalogue", name: "\(getpid())/\(UUID().uuidString)",
                    wall: SystemClock.now, log: log, pause: { try await place.pause(upTo: $0) }
                ).run()
            }
        }
    }
}

extension ContentService {
    /// The partner feed of an environment; nil where nothing is sold.
    private func feeds(of environment: StoreEnvironment) -> PartnerFeeds? {
        environments[environment].map { PartnerFeeds($0, blobs: { [blobs] in try blobs.open() }) }
    }

    /// What makes partner feeds, and begins one each day.
    private func feedHandlers(
        _ retries: RetrySchedule, _ address: @escaping @Sendable (StoreEnvironment) -> StoreAddress?
    ) -> [WorkHandler] {
        [
            WorkHandler(PartnerFeeds.work, retries: PartnerFeeds.retries) { turn, problem, transaction in
                guard let (environment, number) = PartnerFeeds.subject(turn.work.subject) else { return .done }
                try feeds(of: environment)?.fail(number, because: problem, at: turn.at, in: transaction)
                return .done
            } run: { turn in
                guard let (environment, number) = PartnerFeeds.subject(turn.work.subject),
                    let feeds = feeds(of: environment)
                else { return .done }
                let goesOn = try await feeds.turn(number, at: turn.at, address: address(environment))
                return goesOn ? .again(at: turn.at) : .done
            },
            WorkHandler(PartnerFeeds.calendar, retries: retries) { turn in
                guard let environment = StoreEnvironment(rawValue: turn.work.subject),
                    let feeds = feeds(of: environment)
                else { return .done }
                return .again(at: try await feeds.beginDaily(at: turn.at))
            },
        ]
    }

    /// Gives up what a crash has left half sent in a bucket.
    private func endStaleUploads() async throws {
        guard let bucket = try blobs.openBucket() else { return }
        try await OwnThread.run(named: "blobs") { try bucket.endStaleUploads() }
    }
}

extension ContentIntake {
    /// Blobs, and packages that are looked at in the process of a command: no store runs that would do it.
    static func here(
        _ store: OpenStore, _ directory: DataDirectory, _ arguments: ParsedArguments, _ context: CommandContext,
        _ log: Log
    ) -> (OpenBlobs, ContentIntake) {
        let blobs = OpenBlobs(directory, arguments[BlobOptions.blobs], environment: context.environment)
        let processing = ContentProcessing(
            store.databases.catalogue, blobs: { try blobs.open() }, folder: directory.packagesPath,
            wall: SystemClock.now, log: log)
        return (blobs, ContentIntake(processing: processing))
    }
}
