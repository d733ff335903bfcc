import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite("The statuses of verifyReceipt (R4.2, R4.3, P13, P14)")
struct VerifyReceiptStatusTests {
    private func store(_ transactions: [StoreEnvironment: Int64] = [.sandbox: 1]) async throws -> VerifyingStore {
        let verifying = try await VerifyingStore()
        for (environment, number) in transactions {
            try await verifying.store.add([SampleTransaction.consumable(number)], in: environment)
        }
        return verifying
    }

    @Test("0: a receipt of this environment; without purchases too")
    func valid() async throws {
        for transactions: [StoreEnvironment: Int64] in [[:], [.sandbox: 1, .production: 1]] {
            let verifying = try await store(transactions)
            for environment in StoreEnvironment.allCases {
                let answer = try await verifying.verify(verifying.appReceipt(in: environment), to: environment)
                #expect(try answer.status == 0)
                #expect(answer.httpStatus == 200 && answer.fields["Content-Type"] == "application/json")
                #expect(
                    try answer.json["environment"] as? String == (environment == .sandbox ? "Sandbox" : "Production"))
                #expect(try answer.purchases.count == transactions.count / 2)
                #expect(answer.reason == nil)
            }
        }
    }

    @Test("21000: any method but POST", arguments: ["GET", "PUT", "DELETE", "PATCH", "BREW"])
    func method(_ method: String) async throws {
        let verifying = try await store()
        let answer = try await verifying.send([], method: method)
        #expect(answer.httpStatus == 200 && answer.text == #"{"status":21000}"#)
        #expect(answer.reason == "the method is \(method), and has to be POST")
    }

    @Test("21002: a receipt that is none, or has been cut")
    func malformed() async throws {
        let verifying = try await store()
        let receipt = try await verifying.appReceipt()
        for bytes in [[], Array("monkey".utf8), Array(receipt.dropLast(7)), Array(receipt.prefix(1)), [0x30, 0x80]] {
            let answer = try await verifying.verify(bytes)
            #expect(answer.httpStatus == 200 && answer.text == #"{"status":21002}"#)
            #expect(answer.reason?.hasPrefix("receipt-data") == true)
        }
    }

    @Test("21002: a body that is larger than any receipt")
    func large() async throws {
        let body = Array(#"{"receipt-data": ""#.utf8) + [UInt8](repeating: 65, count: VerifyReceiptLimits.bodyBytes)
        let answer = try await store().send(body)
        #expect(answer.httpStatus == 200 && answer.text == #"{"status":21002}"#)
        #expect(answer.reason == "The body exceeds \(VerifyReceiptLimits.bodyBytes) bytes.")
    }

    @Test("21003: a receipt that was altered, at whatever byte of what is signed")
    func altered() async throws {
        let verifying = try await store()
        let receipt = try await verifying.appReceipt()
        #expect(try await verifying.verify(receipt).status == 0)
        let product = Array("com.example.monkey.coins".utf8)
        let start = try #require(receipt.indices.first { receipt[$0...].starts(with: product) })
        for offset in [0, 5, product.count - 1] {
            var altered = receipt
            altered[start + offset] ^= 1
            let answer = try await verifying.verify(altered)
            #expect(answer.text == #"{"status":21003}"#)
            #expect(answer.reason == "receipt-data: the signature of the receipt does not match its content")
        }
    }

    @Test("21003: a receipt of another store, in both forms")
    func forged() async throws {
        let verifying = try await store()
        let keys = try SampleKeys.ofAnotherStore(.sandbox)
        let receipts = [
            try await verifying.appReceipt(signedBy: keys),
            try await verifying.transactionReceipt(of: SampleTransaction.consumable(), signedBy: keys),
        ]
        for receipt in receipts { #expect(try await verifying.verify(receipt).status == 21003) }
    }

    @Test(
        "21003: a receipt that says it is of another environment than its signer", arguments: StoreEnvironment.allCases)
    func contradiction(_ listener: StoreEnvironment) async throws {
        let verifying = try await store()
        for environment in StoreEnvironment.allCases {
            let receipt = try await verifying.appReceipt(in: environment) {
                $0.type = environment == .sandbox ? .production : .sandbox
            }
            #expect(try await verifying.verify(receipt, to: listener).status == 21003)
        }
        var text = String(
            decoding: try await verifying.transactionReceipt(of: SampleTransaction.consumable()), as: UTF8.self)
        text.replace("\t\"environment\" = \"Sandbox\";\n", with: "")
        #expect(try await verifying.verify(Array(text.utf8), to: listener).status == 21003)
    }

    @Test("21007 and 21008: a receipt of the other environment, in both forms, and nothing else is said")
    func routing() async throws {
        let verifying = try await store([.sandbox: 1, .production: 1])
        for (environment, listener, status, name) in [
            (StoreEnvironment.sandbox, StoreEnvironment.production, 21007, "sandbox"),
            (.production, .sandbox, 21008, "production"),
        ] {
            let receipts = [
                try await verifying.appReceipt(in: environment),
                try await verifying.transactionReceipt(of: SampleTransaction.consumable(), in: environment),
            ]
            for receipt in receipts {
                let answer = try await verifying.verify(receipt, to: listener)
                #expect(answer.httpStatus == 200 && answer.text == "{\"status\":\(status)}")
                #expect(verifying.log.reasons.last.map { "\($0)".contains(name) } == true)
            }
        }
    }

    @Test("21007 is only for receipts that the sandbox would take: an altered one is not sent on")
    func alteredElsewhere() async throws {
        let verifying = try await store()
        var receipt = try await verifying.appReceipt()
        receipt[receipt.count - 1] ^= 1
        #expect(try await verifying.verify(receipt, to: .production).status == 21003)
    }

    @Test("21010: the customer was deleted, or the books have never heard of the purchases")
    func account() async throws {
        let verifying = try await store()
        let receipt = try await verifying.appReceipt()
        let elsewhere = try await VerifyingStore().verify(receipt)
        #expect(elsewhere.text == #"{"status":21010}"#)
        #expect(elsewhere.reason == "this store has none of the transactions of the receipt")
        let old = try await verifying.transactionReceipt(of: SampleTransaction.consumable())
        try await verifying.store.deleteCustomer(7, in: .sandbox)
        for receipt in [receipt, old] {
            let answer = try await verifying.verify(receipt)
            #expect(answer.text == #"{"status":21010}"#)
            #expect(answer.reason == "the customer of this receipt was deleted")
        }
    }

    @Test("Only the sandbox says why; the log does in both, and never with a part of the receipt")
    func reason() async throws {
        let verifying = try await store()
        let body = Array(#"{"receipt-data": "SECRET%2BSECRET"}"#.utf8)
        #expect(try await verifying.send(body, to: .production).reason == nil)
        let told = "receipt-data: character 7 is '%', which is not Base64; it seems to be URL-encoded"
        #expect(verifying.log.reasons == [.text(told)])
        #expect(try await verifying.send(body).reason == told)
    }
}
