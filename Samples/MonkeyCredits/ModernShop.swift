import Foundation
import StoreKit

/// The store layer by StoreKit 2.
@MainActor
final class ModernShop: Shop {
    private(set) var wallet: Wallet
    private(set) var products: [Goods: Ware] = [:]
    private var listed: [Goods: Product] = [:]
    /// How many calls are under way in which StoreKit may ask something.
    private var calls = 0
    private let leavesUnfinished: Bool
    private var tell: @MainActor (News) -> Void = { _ in }

    /// - Parameter leavesUnfinished: delivers, but never finishes, so that everything comes again.
    init(_ wallet: Wallet, leavesUnfinished: Bool) {
        self.wallet = wallet
        self.leavesUnfinished = leavesUnfinished
    }

    var isBusy: Bool { calls > 0 }
    var canMakePayments: Bool { AppStore.canMakePayments }

    func open(_ tell: @escaping @MainActor (News) -> Void) {
        self.tell = tell
        // What an earlier start has not finished, renewals, approvals, other devices, and what is taken back.
        Task { for await result in Transaction.updates { self.tell(await take(result)) } }
        Task { for await intent in PurchaseIntent.intents { buy(intent.product, quantity: 1) } }
        Task { for await _ in Storefront.updates { askForPrices() } }
    }

    func askForPrices() {
        call { [self] in
            do {
                show(try await Product.products(for: Goods.allCases.map(\.rawValue)))
                return .pricesFetched
            } catch {
                return .pricesFailed(error)
            }
        }
    }

    private func show(_ found: [Product]) {
        for goods in Goods.allCases {
            let product = found.first { $0.id == goods.rawValue }
            listed[goods] = product
            products[goods] = product.map {
                Ware(title: $0.displayName, description: $0.description, price: $0.displayPrice)
            }
            if product == nil {
                FileHandle.standardError.write(Data("Invalid product id: \(goods.rawValue)\n".utf8))
            }
        }
    }

    func buy(_ goods: Goods, quantity: Int) {
        if let product = listed[goods] { buy(product, quantity: quantity) }
    }

    private func buy(_ product: Product, quantity: Int) {
        let sale = Sale(product: product.id, quantity: quantity)
        call { [self] in
            do {
                switch try await product.purchase(options: [.quantity(quantity)]) {
                case .success(let result): return await take(result)
                case .pending: return .deferred(sale)
                case .userCancelled: return .cancelled(sale)
                @unknown default: return .failed(sale, StoreKitError.unknown)
                }
            } catch {
                return .failed(sale, error)
            }
        }
        tell(.purchasing(sale))
    }

    func restore() {
        call { [self] in
            do {
                try await AppStore.sync()
                for await case .verified(let transaction) in Transaction.currentEntitlements {
                    guard let goods = Goods(rawValue: transaction.productID) else { continue }
                    try wallet.restore(goods)
                    tell(.delivered(Sale(transaction), .restored))
                }
                // What cannot be written now stays stale, and the next restore tries again.
                try? wallet.confirm()
                return .restored
            } catch StoreKitError.userCancelled {
                return .restoreCancelled
            } catch {
                return .restoreFailed(error)
            }
        }
    }

    /// Delivers first, finishes then: what is not on the disk is not finished, and comes again.
    private func take(_ result: VerificationResult<Transaction>) async -> News {
        let sale = Sale(result.unsafePayloadValue)
        let news: News
        do {
            news = try deliver(try result.payloadValue, sale)
        } catch let error as VerificationResult<Transaction>.VerificationError {
            return .failed(sale, error)
        } catch {
            return .delivered(sale, .unsaved(error))
        }
        if !leavesUnfinished { await result.unsafePayloadValue.finish() }
        return news
    }

    private func deliver(_ transaction: Transaction, _ sale: Sale) throws -> News {
        guard let goods = Goods(rawValue: transaction.productID) else { return .delivered(sale, .unknown) }
        if transaction.revocationDate != nil {
            try wallet.takeBack(goods)
            return .takenBack(goods)
        }
        let isNew = try wallet.deliver(goods, quantity: sale.quantity, of: "\(transaction.id)")
        return .delivered(sale, isNew ? .added : .repeated)
    }

    /// Does something in which StoreKit may ask the person, and tells what came of it.
    private func call(_ body: @escaping @MainActor () async -> News) {
        calls += 1
        Task {
            let news = await body()
            calls -= 1
            tell(news)
        }
    }
}

extension Sale {
    fileprivate init(_ transaction: Transaction) {
        self.init(product: transaction.productID, quantity: transaction.purchasedQuantity)
    }
}
