import Foundation
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

@Suite("Refusals say what was wrong and what to do", .bounded)
struct RefusalMessageTests {
    private static let credits = "\(ListenerBench.bundle).credits5"

    @Test("An id with a slip is answered with the one that was probably meant", arguments: ["device", "control"])
    func nearest(asking: String) async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        func ask(_ product: String) async throws -> ListenerBench.Answer {
            asking == "device"
                ? try await device.ask("POST", "/purchases", ["productId": product], key: UUID().uuidString)
                : try await bench.control(
                    "POST", "/purchases",
                    ["customer": "ada@example.com", "bundleId": ListenerBench.bundle, "productId": product])
        }
        let slip = try await ask("\(ListenerBench.bundle).credit5")
        #expect(slip.status == 404 && slip.code == "product_unknown")
        #expect(
            slip.message
                == "This product cannot be bought here: the app has no product of this id. Did you mean \(Self.credits)?"
        )
        let capital = try await ask("C\(Self.credits.dropFirst())")
        #expect(
            capital.message
                == "This product cannot be bought here: the app has no product of this id, in which capital letters count. "
                + "Did you mean \(Self.credits)?")
        let other = try await ask("something.else")
        #expect(other.message == "This product cannot be bought here: the app has no product of this id.")
    }

    @Test("In production a device is told neither why nor what else there is")
    func production() async throws {
        let bench = try await ListenerBench(.production)
        var device = try BenchDevice(bench)
        let registration = try await device.registration(in: .production)
        try await device.register(registration)
        let answer = try await device.ask(
            "POST", "/purchases", ["productId": "\(ListenerBench.bundle).credit5"], key: UUID().uuidString)
        #expect(answer.message == "This product cannot be bought here.")
    }

    @Test("A password and an answer of the wrong length are called by their names")
    func lengths() async throws {
        let bench = try await ListenerBench()
        let short = try await bench.control("POST", "/customers", ["email": "a@example.com", "password": "short"])
        #expect(short.status == 400 && short.message == "A password has 8 to 1024 bytes.")
        let answer = try await bench.control(
            "POST", "/customers", ["email": "a@example.com", "secretQuestion": "Who?", "secretAnswer": ""])
        #expect(answer.status == 400 && answer.message == "A secret answer has 1 to 1024 bytes.")
        let three = ["email": "b@example.com", "secretQuestion": "Which pet?", "secretAnswer": "Rex"]
        #expect(try await bench.control("POST", "/customers", three).status == 201)
    }

    @Test("R8.1: What is wrong with a tester is said with its field, and what a tester was made with never changes")
    func testers() async throws {
        let bench = try await ListenerBench()
        func refuse(
            _ method: String, _ path: String, _ body: [String: Any], status: Int = 400, _ field: String
        ) async throws {
            let answer = try await bench.control(method, path, body)
            let parameter = (answer.json["error"] as? [String: Any])?["parameter"] as? String
            #expect(answer.status == status && parameter == field, "\(answer.text)")
        }
        let born = ["email": "a@example.com", "birthDate": "1955-12-10"]
        let made = try await bench.control("POST", "/customers", born)
        #expect(made.json["birthDate"] as? String == "1955-12-10", "\(made.text)")
        for (field, value) in [
            ("email", "b"), ("birthDate", "1990-02-30"), ("birthDate", "2100-01-01"), ("storefront", "ATL"),
            ("secretQuestion", "Who?"), ("secretAnswer", "It was me."),
        ] {
            var account = ["email": "b@example.com"]
            account[field] = value
            let missing = ["secretQuestion": "secretAnswer", "secretAnswer": "secretQuestion"][field]
            try await refuse("POST", "/customers", account, missing ?? field)
        }
        for field in ["email", "firstName", "lastName", "birthDate", "secretQuestion", "secretAnswer", "password"] {
            try await refuse("PATCH", "/customers/a@example.com", [field: "Another of it"], field)
        }
        let change: [String: Any] = ["storefront": "JPN", "interruptsPurchases": true, "purchasesAllowed": false]
        #expect(try await bench.control("PATCH", "/customers/a@example.com", change).status == 200)
        #expect(try await bench.control("DELETE", "/customers/a@example.com").status == 204)
        try await refuse("POST", "/customers", ["email": "A@example.com"], status: 409, "email")
    }

    @Test("Every refusal to a device carries the code of StoreKit's error, and those to operators do not")
    func storeKitCodes() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let unknown = try await device.ask("POST", "/purchases", ["productId": "no"], key: UUID().uuidString)
        #expect(unknown.status == 404 && unknown.storeKitCode == 3)
        let order: [String: Any] = ["productId": Self.credits, "quantity": 11]
        #expect(try await device.ask("POST", "/purchases", order, key: UUID().uuidString).storeKitCode == 3)
        var simulator = try BenchDevice(bench)
        var registration = try await simulator.registration()
        registration["isSimulator"] = true
        try await simulator.register(simulator.signed(registration))
        let refused = try await simulator.ask("POST", "/purchases", ["productId": Self.credits], key: UUID().uuidString)
        #expect(refused.code == "simulator" && refused.storeKitCode == 5002)
        // What is refused before a use case is asked: no token, no JSON.
        #expect(try await bench.ask("GET", "/device/v1/device").storeKitCode == 5002)
        #expect(try await device.ask("POST", "/purchases", key: UUID().uuidString).storeKitCode == 5002)
        let operatorAnswer = try await bench.control("GET", "/purchases/77")
        #expect(operatorAnswer.status == 404 && operatorAnswer.storeKitCode == nil)
    }

    @Test("What is too late for a purchase says how it stands, why and since when")
    func tooLate() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let key = UUID().uuidString
        let bought = try await device.buy(Self.credits, key: key)
        let transaction = try #require(
            try await bench.control("GET", "/transactions/last").json["transaction"] as? [String: Any])
        let number = try #require(transaction["transactionId"])
        #expect(bought.json["state"] as? String == "purchased")
        let cancelled = try await device.ask("POST", "/purchases/\(key)/cancellation")
        #expect(cancelled.status == 409 && cancelled.code == "too_late")
        #expect(
            cancelled.message
                == """
                Purchase 1 cannot be cancelled: it has been paid with transaction \(number), which can be refunded, since \
                2027-01-15T08:00:00Z.
                """)
        let open = try await device.ask("POST", "/purchases", ["productId": Self.credits], key: UUID().uuidString)
        let waiting = try #require(open.json["purchaseId"])
        let settled = try await bench.control("POST", "/purchases/\(waiting)/settlement")
        #expect(
            settled.message
                == """
                Purchase \(waiting) cannot be settled, which is for purchases that are interrupted: it has waited for a yes \
                since 2027-01-15T08:00:00Z.
                """)
    }

    @Test("A purchase that was declined says so, and with what")
    func declined() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let methods = try await bench.control(
            "POST", "/customers/ada@example.com/payment-methods", ["token": "test_declined"])
        #expect(methods.status == 201)
        let key = UUID().uuidString
        #expect(try await device.buy(Self.credits, key: key).json["state"] as? String == "declined")
        bench.time.pass(.seconds(60))
        #expect(
            try await device.ask("POST", "/purchases/\(key)/cancellation").message
                == """
                Purchase 1 cannot be cancelled: its payment has been declined (card_declined) since 2027-01-15T08:00:00Z.
                """)
    }
}
