import Foundation
import StoreModel
import Testing

@Suite("Identifiers that people choose")
struct TextIdentifierTests {
    @Test(
        "Product ids are up to 100 letters, digits, periods, underscores and hyphens",
        arguments: ["a", "A.b_9", "a-b", ".", "_", "com.example.app.monthly_1", String(repeating: "p", count: 100)])
    func productIDs(text: String) throws {
        let id = try ProductID(parsing: text)
        #expect(id.text == text)
        #expect(try jsonText([id]) == "[\"\(text)\"]")
        #expect(try decode([ProductID].self, from: "[\"\(text)\"]") == [id])
    }

    @Test(
        "Other product ids are refused",
        arguments: ["", "a+b", "a b", "a/b", "é", "a\n", "☃", "a%00", String(repeating: "p", count: 101)])
    func otherProductIDs(text: String) {
        #expect(throws: InvalidValue.self) { try ProductID(parsing: text) }
        #expect(ProductID(text) == nil)
    }

    @Test("The error tells a wrong character from a wrong length")
    func codes() {
        let wrong = #expect(throws: InvalidValue.self) { try ProductID(parsing: "a b") }
        #expect(wrong?.code == .malformed)
        let long = #expect(throws: InvalidValue.self) { try ProductID(parsing: String(repeating: "p", count: 101)) }
        #expect(long?.code == .outOfRange)
        #expect(long?.rule == "has at most 100 characters")
    }

    @Test(
        "Bundle ids are parts joined by periods",
        arguments: ["com.example.app", "App", "a-b.C9", String(repeating: "b", count: 155)])
    func bundleIDs(text: String) throws {
        #expect(try BundleID(parsing: text).description == text)
    }

    @Test(
        "Wildcards, empty parts and other characters make no bundle id",
        arguments: [
            "", "com.example.*", "*", ".", "a.", ".a", "a..b", "a_b", "a b", "com.exämple",
            String(repeating: "b", count: 156),
        ])
    func otherBundleIDs(text: String) {
        #expect(throws: InvalidValue.self) { try BundleID(parsing: text) }
    }

    @Test("Subscription groups may be decimal, hexadecimal or named, orders are capitals and digits")
    func groupsAndOrders() throws {
        #expect(try SubscriptionGroupID(parsing: "21412345").text == "21412345")
        #expect(try SubscriptionGroupID(parsing: "8ED1AB2F").text == "8ED1AB2F")
        #expect(try SubscriptionGroupID(parsing: "my-group_1.a").text == "my-group_1.a")
        #expect(throws: InvalidValue.self) { try SubscriptionGroupID(parsing: "a b") }
        #expect(try OrderID(parsing: "MK5TTTVWJH").text == "MK5TTTVWJH")
        for text in ["mk5tttvwjh", "MK5-TTT", "", String(repeating: "A", count: 33)] {
            #expect(throws: InvalidValue.self) { try OrderID(parsing: text) }
        }
    }

    @Test("The id of an order leads back to its sale, in its environment only, and says nothing of its neighbours")
    func orders() throws {
        var seen: Set<OrderID> = []
        for number in Array(1...200) + [1 << 40, (1 << 45) - 1] as [Int64] {
            let sale = try SaleID(number: number)
            for environment in StoreEnvironment.allCases {
                let order = OrderID(sale, in: environment)
                #expect(order.text.count == 10 && order.sale(in: environment) == sale)
                #expect(StoreEnvironment.allCases.filter { order.sale(in: $0) != nil } == [environment])
                #expect(seen.insert(order).inserted)
            }
        }
        let first = try (1...2).map { OrderID(try SaleID(number: $0), in: .production).text }
        #expect(zip(first[0], first[1]).count { $0 != $1 } > 4)
    }

    @Test("Text identifiers are ordered by their bytes, whatever the language")
    func order() throws {
        #expect(try ProductID(parsing: "B") < ProductID(parsing: "a"))
        #expect(try ProductID(parsing: "a") < ProductID(parsing: "a.b"))
    }
}
