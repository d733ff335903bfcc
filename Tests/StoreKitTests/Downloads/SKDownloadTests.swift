import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// Downloads as the objects and callbacks that apps know.
@Suite("SKDownload", .bounded)
struct SKDownloadTests {
    /// A purchase with content.
    private static func entry(
        _ number: Int64, _ state: QueueEntry.State = .purchased, download: DownloadEntry.State = .waiting
    ) throws -> QueueEntry {
        let payment = Payment("chapter")
        let bought = BoughtTransaction.test(DownloadEntry.testBase + number, payment)
        var entry = QueueEntry(.named("key \(number)"), payment, state, bought: bought)
        entry.download = try .test(number, download)
        return entry
    }

    @Test(
        "R6.6: a purchased transaction has one download, the same object as long as it lives, with all there is to know"
    )
    func properties() async throws {
        let test = QueueTest()
        try await test {
            test.queue.add(test.observer)
            test.session.put(try Self.entry(1))
            _ = try await test.told()
            let transaction = try #require(test.queue.transactions.first)
            let download = try #require(transaction.downloads.first)
            #expect(transaction.downloads.count == 1 && download.transaction === transaction)
            #expect(download.state == .waiting && download.downloadState == .waiting)
            #expect(download.contentIdentifier == "chapter" && download.contentVersion == "1.0")
            #expect(download.contentLength == 100 && download.expectedContentLength == 100)
            #expect(download.progress == 0 && download.timeRemaining == SKDownloadTimeRemainingUnknown)
            #expect(download.contentURL == nil && download.error == nil)

            var entry = try DownloadEntry.test(1, .active)
            entry.handle(.received(100, secondsLeft: 7))
            test.session.tell(.downloads([entry]))
            #expect(try await test.told() == ["chapter purchased", "downloads chapter active 1.0"])
            #expect(transaction.downloads.first === download && download.timeRemaining == 7)
            // All has come, and it has not finished.
            #expect(download.progress == 1 && download.state == .active && download.contentURL == nil)

            entry.handle(.unpacked(folder: "f"))
            entry.location = URL(fileURLWithPath: "/caches/f", isDirectory: true)
            test.session.tell(.downloads([entry]))
            _ = try await test.told()
            #expect(download.state == .finished && download.contentURL?.path == "/caches/f")
        }
    }

    @Test("R6.10: one call brings several downloads, on the main queue, and a transaction without content has none")
    func several() async throws {
        let test = QueueTest()
        try await test {
            test.queue.add(test.observer)
            for number in 1...2 { test.session.put(try Self.entry(Int64(number))) }
            test.session.put(QueueTest.entry("coins"))
            #expect(try await test.told().count == 3)
            #expect(test.queue.transactions.map(\.downloads.count) == [1, 1, 0])
            let entries = try [DownloadEntry.test(1, .active), .test(2, .failed), .test(3, .active)]
            test.session.tell(.downloads(entries))
            // The third is of a transaction that only another process of the app knows.
            #expect(try await test.told().last == "downloads chapter active 0.0, chapter failed 0.0")
            let failed = test.queue.transactions[1].downloads[0]
            let error = try #require(failed.error as? SKError)
            #expect(error.userInfo[SKError.reasonKey] as? String == "restricted")
        }
    }

    @Test(
        "R6.10: observers are called at most ten times a second with the newest of each, and at once of an end or a pause"
    )
    func pace() throws {
        var (calls, told) = (DownloadCalls(), [[Int64]]())
        let (downloads, start) = ([SKDownload(), SKDownload()], SessionTime.start)
        var due: (at: Int64, round: Int)?
        func take(_ step: DownloadCalls.Step, at time: Int64) {
            switch step {
            case .tell(let changed): told.append(changed.map(\.entry.received))
            case .wait(let milliseconds, let round): due = (time + milliseconds, round)
            case .nothing: break
            }
        }
        var entry = try DownloadEntry.test(1, .active)
        for time in Int64(0)..<1000 {
            let now = start.adding(milliseconds: time)
            if let wait = due, wait.at == time { take(calls.due(wait.round, at: now), at: time) }
            entry.received = time
            let changed = DownloadCalls.Changed(download: downloads[Int(time % 2)], entry: entry)
            take(calls.take([changed], at: now), at: time)
        }
        #expect(told.count == 10 && told[0] == [0] && told[1] == [99, 98] && told[9] == [898, 899])
        for state in [DownloadEntry.State.finished, .failed, .cancelled, .paused] {
            var ended = try DownloadEntry.test(1, state)
            ended.received = 5
            take(
                calls.take([.init(download: downloads[1], entry: ended)], at: start.adding(milliseconds: 999)), at: 999)
        }
        #expect(told.dropFirst(10) == [[998, 5], [5], [5], [5]])
        // The wait that was begun before is over, and a clock that was set back keeps nobody waiting.
        take(calls.due(try #require(due).round, at: start), at: 1000)
        take(calls.take([.init(download: downloads[0], entry: entry)], at: start), at: 1000)
        #expect(told.dropFirst(14) == [[999]])
    }

    @Test("R6.10: progress that waited is told by itself, and before its transaction goes")
    func waitingProgress() async throws {
        let test = QueueTest()
        try await test {
            test.queue.add(test.observer)
            let purchase = try Self.entry(1)
            test.session.put(purchase)
            var entry = try DownloadEntry.test(1, .active)
            for received in [Int64(10), 20, 30] {
                entry.handle(.received(received, secondsLeft: nil))
                test.session.tell(.downloads([entry]))
            }
            try await test.transcript.until("downloads chapter active 0.3")
            entry.handle(.received(40, secondsLeft: nil))
            test.session.tell(.downloads([entry]))
            test.session.finish(purchase.key)
            let told = try await test.told().filter { !$0.hasPrefix("chapter") }
            #expect(
                told == [
                    "downloads chapter active 0.1", "downloads chapter active 0.3", "downloads chapter active 0.4",
                    "removed chapter",
                ])
        }
    }

    @Test("R6.7: the four methods of the queue ask the session, and leave downloads of tests alone")
    func commands() async throws {
        let test = QueueTest()
        try await test {
            test.queue.add(test.observer)
            test.session.put(try Self.entry(1))
            _ = try await test.told()
            let downloads = test.queue.transactions.flatMap(\.downloads)
            test.queue.start(downloads)
            test.queue.pause(downloads)
            test.queue.resume(downloads)
            test.queue.cancel(downloads)
            test.queue.start([SKDownload()])
            let asked = test.session.read(\.commands)
            #expect(asked == ["start chapter", "pause chapter", "resume chapter", "cancel chapter"])
        }
    }

    @Test("R3.5: a restore of 500 products starts nothing, and each of them can be started")
    func restore() async throws {
        let test = QueueTest()
        try await test {
            test.queue.add(test.observer)
            let entries = try (1...500).map { try Self.entry(Int64($0), .restored) }
            test.session.script { $0.entries = entries }
            test.session.tell(.updated(entries))
            _ = try await test.told()
            let transactions = test.queue.transactions
            #expect(transactions.count == 500)
            #expect(transactions.allSatisfy { $0.transactionState == .restored && $0.downloads.count == 1 })
            #expect(transactions.allSatisfy { $0.downloads[0].state == .waiting })
            #expect(test.session.read(\.commands) == [])
            test.queue.start(transactions[499].downloads)
            #expect(test.session.read(\.commands) == ["start chapter"])
        }
    }

    @Test("What an earlier launch left is there when the transaction comes back, before anything is told of it")
    func relaunched() async throws {
        let test = QueueTest()
        try await test {
            let entry = try Self.entry(1, download: .paused)
            test.session.script { $0.entries = [entry] }
            test.queue.add(test.observer)
            let told = try await test.told()
            #expect(told == ["chapter purchased"])
            #expect(test.queue.transactions.first?.downloads.first?.state == .paused)
        }
    }

    @Test("A sequence of progress has the state of the moment, the newest after it, and ends with the download")
    func updates() async throws {
        let test = QueueTest()
        try await test {
            test.queue.add(test.observer)
            test.session.put(try Self.entry(1))
            _ = try await test.told()
            let download = try #require(test.queue.transactions.first?.downloads.first)
            var progress = download.updates.makeAsyncIterator()
            #expect(await progress.next()?.state == .waiting)
            var entry = try DownloadEntry.test(1, .active)
            entry.handle(.received(25, secondsLeft: nil))
            test.session.tell(.downloads([entry]))
            _ = try await test.told()
            let next = try #require(await progress.next())
            #expect(
                next.state == .active && next.fraction == 0.25 && next.receivedBytes == 25 && next.totalBytes == 100)
            #expect(next.secondsRemaining == nil && next.contentURL == nil)
            entry.handle(.failed(.restricted))
            test.session.tell(.downloads([entry]))
            _ = try await test.told()
            let last = await progress.next()
            #expect(last?.state == .failed && last?.error?.userInfo[SKError.reasonKey] as? String == "restricted")
            #expect(await progress.next() == nil)
            // What is started once more is read once more.
            entry.handle(.asked(.start, order: 9))
            test.time.pass(.milliseconds(DownloadCalls.interval))
            test.session.tell(.downloads([entry]))
            _ = try await test.told()
            var again = download.updates.makeAsyncIterator()
            #expect(await again.next()?.state == .waiting)
        }
    }

    @Test("The content of a product is asked of the session, and removed there")
    func classMethods() async throws {
        let test = QueueTest()
        await test {
            let folder = URL(fileURLWithPath: "/caches/f", isDirectory: true)
            test.session.script { $0.contentFolders["chapter"] = folder }
            #expect(SKDownload.contentURL(forProductID: "chapter") == folder)
            #expect(SKDownload.contentURL(forProductID: "coins") == nil)
            SKDownload.deleteContent(forProductID: "chapter")
            #expect(SKDownload.contentURL(forProductID: "chapter") == nil)
        }
    }
}
