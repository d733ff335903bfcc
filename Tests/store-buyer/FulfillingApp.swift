import Foundation
import StoreKit

/// An app whose goods are kept by ``PurchaseFulfilment``, and that a test kills at any of its steps.
enum FulfillingApp {
    struct Goods: Codable, Sendable {
        var credits = 0
        /// What has changed them, in order: the transaction and what was done.
        var deliveries: [String] = []
    }

    static let credits = 5

    static func open(_ path: String, _ steps: BuyerSteps) throws -> PurchaseFulfilment<Goods> {
        try PurchaseFulfilment(at: URL(fileURLWithPath: path), initially: Goods()) { goods, delivery in
            let transaction = delivery.transaction
            steps.take("before the goods change")
            goods.credits += (delivery.act == .grant ? 1 : -1) * credits * transaction.purchasedQuantity
            goods.deliveries.append("\(transaction.id):\(delivery.act.rawValue)")
            steps.take("after the goods have changed")
            return "\(delivery.act.rawValue):\(delivery.revision)"
        }
    }

    /// Buys so often, one after the other, and delivers all that comes meanwhile.
    static func start(_ fulfilment: PurchaseFulfilment<Goods>, buying count: Int, of id: String, _ steps: BuyerSteps) {
        Task.detached { await fulfilment.run() }
        Task.detached {
            do {
                for _ in 0..<count {
                    guard let product = try await Product.products(for: [id]).first else { continue }
                    _ = try await fulfilment.purchase(product)
                    steps.take("fulfilled")
                }
            } catch {
                steps.tell("thrown \(error)")
            }
            steps.tell("carried out")
        }
    }

    /// What is in the file, as two lines: the goods, and the result that is stored with each transaction.
    static func text(_ fulfilment: PurchaseFulfilment<Goods>) -> String {
        guard let goods = try? fulfilment.goods else { return "goods unread" }
        let ids = Set(goods.deliveries.compactMap { UInt64($0.prefix { $0 != ":" }) }).sorted()
        let results = ids.map { "\($0):\((try? fulfilment.result(of: $0)) ?? "none")" }
        return "goods \(goods.credits) \(goods.deliveries.joined(separator: " "))\nresults "
            + results.joined(separator: " ")
    }
}
