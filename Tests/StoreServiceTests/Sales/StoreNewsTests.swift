import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("What customers do, at the window of a store", .bounded)
struct StoreNewsTests {
    @Test("X9: A line each is told of what is bought, restored and refunded, once, with or without addresses")
    func lines() async throws {
        let lines = Observed<[String]>([])
        try await StoreEngine.memory.withStore { databases in
            let scene = try SaleScene(databases) { entry in
                lines.update { $0.append("\(entry.event): \(entry.message)") }
            }
            let sample = try await CatalogueSample.make(in: databases.catalogue, id: 42)
            try await sample.put(
                CatalogueSample.draft("com.example.item1", kind: .nonConsumable), item: 1, in: databases.catalogue)
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let (window, file) = (
                StoreNews(scene.store, namesCustomers: true), StoreNews(scene.store, namesCustomers: false)
            )
            var (seen, kept) = (StoreNews.Told(), StoreNews.Told())
            let bought = try await scene.buy(.sample(.nonConsumable, 1), on: device)
            try await window.tell(of: customer, beyond: &seen)
            try await window.tell(of: customer, beyond: &seen)
            _ = try await scene.restore(device)
            try await window.tell(of: customer, beyond: &seen)
            _ = try await scene.refund(bought.transaction)
            try await window.tell(of: customer, beyond: &seen)
            try await file.tell(of: customer, beyond: &kept)
            let (ada, item) = ("customer\(customer)@example.com", "com.example.item1")
            #expect(
                lines.value.prefix(3) == [
                    "sale.bought: \(ada) bought Title \(item) · $1.99 · \(item)",
                    "sale.restored: \(ada) restored Title \(item) · \(item)",
                    "sale.refunded: \(ada) was refunded Title \(item) · $1.99 · \(item)",
                ])
            #expect(!lines.value.dropFirst(4).isEmpty && !lines.value.dropFirst(4).contains { $0.contains("@") })
        }
    }
}
