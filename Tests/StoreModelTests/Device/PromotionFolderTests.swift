import Foundation
import StoreModel
import TestSupport
import Testing

@Suite("Purchases that wait for an app")
struct PromotionFolderTests {
    private func folder() throws -> PromotionFolder {
        let data = FileManager.default.temporaryDirectory.path + "/till-promotions-\(UUID().uuidString.prefix(8))"
        let app = try #require(BundleID("com.example.app"))
        return PromotionFolder(of: app, in: DeviceFolders(settings: data, data: data))
    }

    @Test("P41: they wait in the order in which they were begun, whole, and for the person alone")
    func order() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        #expect(folder.files == [])
        for (product, time) in [("third", 3), ("first", -20), ("second", 2)] as [(String, Int64)] {
            let id = try #require(ProductID(product))
            try folder.add(PromotedPurchase(id), at: Instant(millisecondsSinceEpoch: 1_800_000_000_000 + time))
        }
        let read = try folder.files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(read.map { PromotedPurchase($0)?.productId.text } == ["first", "second", "third"])
        #expect(String(decoding: read[0], as: UTF8.self) == #"{"productId":"first"}"#)
        for path in [folder.path] + folder.files {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == (path == folder.path ? 0o700 : 0o600))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 3)
    }

    @Test("An app that is never started gathers no more than so many")
    func full() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let purchase = PromotedPurchase(try #require(ProductID("coins")))
        for number in 0..<PromotionFolder.longest {
            try folder.add(purchase, at: Instant(millisecondsSinceEpoch: Int64(number)))
        }
        #expect(throws: PromotionError.self) { try folder.add(purchase, at: Instant(millisecondsSinceEpoch: 0)) }
        #expect(folder.files.count == PromotionFolder.longest)
    }

    @Test("What is read is a product id or nothing, whatever the file holds")
    func mutants() throws {
        let genuine = #"{"productId":"com.example.monkeycredits.credits5"}"#
        #expect(PromotedPurchase(Data(genuine.utf8))?.productId.text == "com.example.monkeycredits.credits5")
        for mutant in Mutants("Promoted purchases", of: [genuine], rounds: 2000) {
            guard let read = PromotedPurchase(Data(mutant.bytes)) else { continue }
            #expect(ProductID(read.productId.text) == read.productId, "\(mutant)")
        }
        let padded = genuine + String(repeating: " ", count: PromotedPurchase.longestFile)
        #expect(PromotedPurchase(Data(padded.utf8)) == nil)
        #expect(PromotedPurchase(Data()) == nil)
    }
}
