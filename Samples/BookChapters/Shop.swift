import Foundation
import StoreKit

/// What talks to StoreKit: it watches the payment queue from the start of the app on, loads what was asked for, and finishes a
/// transaction when its content is kept.
///
/// Everything here happens on the main queue, where StoreKit calls its delegates and observers.
@MainActor
final class Shop: NSObject {
    /// What the person is told.
    // Closed: only this app switches over them.
    enum News {
        case productsFetched
        case productsFailed(any Error)
        case purchasing(Chapter)
        case deferred(Chapter)
        case failed(Chapter, (any Error)?)
        /// It is the person's; what becomes of its content.
        case owned(Chapter, isRestored: Bool, Content)
        case lost(Chapter)
        case restored
        case restoreFailed(any Error)
        case moved(Chapter, SKDownload)
        case ended(Chapter, SKDownload)
        case kept(Chapter, version: String)
        case notKept(Chapter, any Error)
    }

    enum Content {
        /// It comes now.
        case coming
        /// The person may load it.
        case waiting
        /// It is here already.
        case here
        /// The store hosts none.
        case none
    }

    private(set) var shelf: Shelf
    private(set) var products: [Chapter: SKProduct] = [:]
    private(set) var isAskingForPrices = false
    private(set) var isRestoring = false
    /// What is loaded as soon as a restore brings it back.
    private var wanted: Set<Chapter> = []
    /// A payment was added, and the queue has not yet said so.
    private var isBuying = false
    private let tell: @MainActor (News) -> Void
    private var request: SKProductsRequest?

    init(_ shelf: Shelf, tell: @escaping @MainActor (News) -> Void) {
        self.shelf = shelf
        self.tell = tell
        super.init()
        // Downloads that the last launch left active go on from here.
        SKPaymentQueue.default().add(self)
    }

    private var queue: SKPaymentQueue { .default() }

    /// Whether the person is in the middle of something; StoreKit may be asking questions then.
    var isBusy: Bool {
        isAskingForPrices || isRestoring || isBuying
            || queue.transactions.contains { $0.transactionState == .purchasing }
    }

    /// Whether something is on its way.
    var isLoading: Bool { queue.transactions.flatMap(\.downloads).contains { $0.state == .active || isQueued($0) } }

    private func isQueued(_ download: SKDownload) -> Bool {
        download.state == .waiting && started.contains(ObjectIdentifier(download))
    }

    private var started: Set<ObjectIdentifier> = []

    func askForPrices() {
        guard !isAskingForPrices else { return }
        isAskingForPrices = true
        let request = SKProductsRequest(productIdentifiers: Set(Chapter.allCases.map(\.rawValue)))
        request.delegate = self
        self.request = request
        request.start()
    }

    func buy(_ product: SKProduct) {
        isBuying = true
        queue.add(SKPayment(product: product))
    }

    /// The download of a chapter that waits, runs or was interrupted: it is had as long as its transaction is unfinished.
    func download(of chapter: Chapter) -> SKDownload? {
        queue.transactions.last { $0.payment.productIdentifier == chapter.rawValue && !$0.downloads.isEmpty }?.downloads
            .first
    }

    /// Loads a chapter, in its newest version, or goes on with one that is paused. A transaction that is finished has no download
    /// any more; a restore makes another.
    func load(_ chapter: Chapter) {
        if let download = download(of: chapter) {
            return download.state == .paused ? resume(download) : start(download)
        }
        wanted.insert(chapter)
        restore()
    }

    private func start(_ download: SKDownload) {
        started.insert(ObjectIdentifier(download))
        queue.start([download])
    }

    func pause(_ download: SKDownload) { queue.pause([download]) }
    func resume(_ download: SKDownload) {
        started.insert(ObjectIdentifier(download))
        queue.resume([download])
    }
    func cancel(_ download: SKDownload) { queue.cancel([download]) }

    func restore() {
        isRestoring = true
        queue.restoreCompletedTransactions()
    }

    // MARK: What was bought

    private func take(_ transaction: SKPaymentTransaction) {
        let id = (transaction.original?.payment ?? transaction.payment).productIdentifier
        guard let chapter = Chapter(rawValue: id) else { return queue.finishTransaction(transaction) }
        do {
            try shelf.own(chapter)
        } catch {
            // What is not on the disk is not finished, and comes again.
            return tell(.notKept(chapter, error))
        }
        let isRestored = transaction.transactionState == .restored
        let content = content(of: chapter, transaction, isRestored: isRestored)
        switch content {
        case .none, .here: queue.finishTransaction(transaction)
        case .coming: if let download = transaction.downloads.first { start(download) }
        case .waiting: break
        }
        tell(.owned(chapter, isRestored: isRestored, content))
    }

    /// What is bought now is loaded now. What a restore brings is loaded if it was asked for: all of it at once would be many
    /// downloads that nobody waits for.
    private func content(
        of chapter: Chapter, _ transaction: SKPaymentTransaction, isRestored: Bool
    ) -> Content {
        guard let download = transaction.downloads.first else { return .none }
        if shelf.library.currentVersion(of: chapter.rawValue) == download.contentVersion { return .here }
        if download.state == .paused { return .waiting }
        if download.state == .active { return .coming }
        return !isRestored || wanted.remove(chapter) != nil ? .coming : .waiting
    }

    /// Content first, the end of the transaction after it: what finishes first may find the caches empty.
    private func keep(_ download: SKDownload, _ chapter: Chapter) {
        do {
            _ = try shelf.keep(download)
        } catch {
            return tell(.notKept(chapter, error))
        }
        tell(.kept(chapter, version: download.contentVersion))
        // An earlier restore may have brought the same chapter; neither is of use any more.
        for transaction in queue.transactions where transaction.payment.productIdentifier == chapter.rawValue {
            if transaction.transactionState == .purchased || transaction.transactionState == .restored {
                queue.finishTransaction(transaction)
            }
        }
    }
}

extension Shop: @MainActor SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products {
            if let chapter = Chapter(rawValue: product.productIdentifier) { products[chapter] = product }
        }
    }

    func requestDidFinish(_ request: SKRequest) {
        isAskingForPrices = false
        tell(.productsFetched)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        isAskingForPrices = false
        tell(.productsFailed(error))
    }
}

extension Shop: @MainActor SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        isBuying = false
        for transaction in transactions {
            let chapter = Chapter(rawValue: transaction.payment.productIdentifier)
            switch transaction.transactionState {
            case .purchasing: if let chapter { tell(.purchasing(chapter)) }
            case .deferred: if let chapter { tell(.deferred(chapter)) }
            case .purchased, .restored: take(transaction)
            case .failed:
                queue.finishTransaction(transaction)
                if let chapter { tell(.failed(chapter, transaction.error)) }
            @unknown default: break
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            guard let chapter = Chapter(rawValue: download.contentIdentifier) else { continue }
            switch download.state {
            case .finished:
                started.remove(ObjectIdentifier(download))
                keep(download, chapter)
            case .failed, .cancelled, .paused:
                started.remove(ObjectIdentifier(download))
                tell(.ended(chapter, download))
            case .waiting, .active: tell(.moved(chapter, download))
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        isRestoring = false
        wanted = []
        tell(.restored)
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        isRestoring = false
        wanted = []
        tell(.restoreFailed(error))
    }

    /// The person got the money back, or the store has taken something back.
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        for chapter in productIdentifiers.compactMap(Chapter.init(rawValue:)) {
            // A purchase and what was restored from it are taken back one after the other.
            let wasHere = shelf.owns(chapter)
            do {
                try shelf.lose(chapter)
                if wasHere { tell(.lost(chapter)) }
            } catch {
                tell(.notKept(chapter, error))
            }
        }
    }
}
