import Foundation
import PurchaseVault
import StoreKit

/// The store layer by StoreKit 2.
@MainActor
final class ModernShop: Shop {
    private(set) var wallet: Wallet
    private(set) var products: [Goods: Ware] = [:]
    private var listed: [Goods: Product] = [:]
    /// How many calls are under way in which StoreKit may ask something.
    private var calls = 0
    private let fulfilment: PurchaseFulfilment<VaultContents>
    private var tell: @MainActor (News) -> Void = { _ in }

    /// - Parameter leavesUnfinished: delivers, but never finishes, so that everything comes again.
    init(_ wallet: Wallet, leavesUnfinished: Bool) {
        self.wallet = wallet
        fulfilment = PurchaseFulfilment(in: wallet.vault, finishes: !leavesUnfinished) { contents, delivery in
            let bought = delivery.transaction
            guard let goods = Goods(rawValue: bought.productID) else { return "unknown" }
            switch delivery.act {
            case .grant: try contents.add(goods, quantity: bought.purchasedQuantity)
            case .takeBack: try contents.takeBack(goods, quantity: bought.purchasedQuantity)
            }
            return delivery.act.rawValue
        }
    }

    var isBusy: Bool { calls > 0 }
    var canMakePayments: Bool { AppStore.canMakePayments }

    func open(_ tell: @escaping @MainActor (News) -> Void) {
        self.tell = tell
        // What an earlier start has not finished, renewals, approvals, other devices, and what is taken back.
        Task { await fulfilment.run { @MainActor [self] in self.tell(news(of: $0, $1)) } }
        Task {
            await endClub()
            for await _ in SubscriptionStatus.updates { await endClub() }
        }
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

    /// Takes away the club once it is paid for no more. An end is no transaction, so nothing else tells of it.
    private func endClub() async {
        guard let club = Goods.club.possession, wallet.possessions.contains(club) else { return }
        for await case .verified(let transaction) in Transaction.currentEntitlements
        where transaction.productID == Goods.club.rawValue { return }
        do { try wallet.takeBack(.club) } catch { return }
        tell(.ended(.club))
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
                    try wallet.restore(goods, of: "\(transaction.id)")
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

    /// What is not on the disk is not finished, and comes again.
    private func take(_ result: VerificationResult<Transaction>) async -> News {
        do {
            return news(of: result, .success(try await fulfilment.fulfil(result)))
        } catch {
            return news(of: result, .failure(error))
        }
    }

    private func news(
        of result: VerificationResult<Transaction>, _ outcome: Result<PurchaseDelivery?, any Error>
    ) -> News {
        wallet.refresh()
        let transaction = result.unsafePayloadValue
        let sale = Sale(transaction)
        switch outcome {
        case .success(let delivery):
            guard let goods = Goods(rawValue: sale.product) else { return .delivered(sale, .unknown) }
            let isTakenBack = delivery?.act == .takeBack || transaction.revocationDate != nil
            return isTakenBack ? .takenBack(goods) : .delivered(sale, delivery == nil ? .repeated : .added)
        case .failure(let error as VerificationResult<Transaction>.VerificationError): return .failed(sale, error)
        case .failure(let error): return .delivered(sale, .unsaved(error))
        }
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
