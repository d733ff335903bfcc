import Foundation
import StoreModel
import Testing

@testable import till

@Suite("till device (R8.4)") struct DeviceCommandTests {
    private struct Device {
        let transcript: Transcript
        let folder: String

        init() throws {
            transcript = try Transcript()
            folder = transcript.data + "/config"
        }

        func till(_ words: String...) async -> Transcript.Run {
            let environment = ["XDG_CONFIG_HOME": folder, "HOME": transcript.data]
            switch words.count {
            case 1: return await transcript.till("device", words[0], environment: environment)
            case 2: return await transcript.till("device", words[0], words[1], environment: environment)
            default: return await transcript.till("device", words[0], words[1], words[2], environment: environment)
            }
        }

        var file: DevicePreferencesFile { DevicePreferencesFile(folder + "/till/device.json") }
    }

    @Test("shows the usual where nothing was set, and writes nothing") func showsUsualWhere() async throws {
        let device = try Device()
        let run = await device.till("show")
        #expect(run.status == 0)
        #expect(run.text.contains("In-app purchases  allowed"))
        #expect(run.text.contains("Language          that of the system"))
        #expect(!FileManager.default.fileExists(atPath: device.file.path))
    }

    @Test("keeps what is set, for the person alone, and shows it to programs") func keepsWhatSet() async throws {
        let device = try Device()
        #expect(await device.till("restrict", "on").status == 0)
        #expect(await device.till("language", "de-DE").status == 0)
        #expect(await device.till("simulator", "on").status == 0)
        #expect(await device.till("sign-out").status == 0)
        let run = await device.till("sign-out", "--json")
        let expected = DevicePreferences(purchasesAllowed: false, language: "de-DE", isSimulator: true, signOuts: 2)
        #expect(try run.json(DevicePreferences.self) == expected)
        #expect(try device.file.read() == expected)
        let attributes = try FileManager.default.attributesOfItem(atPath: device.file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(await device.till("restrict", "off").status == 0)
        #expect(await device.till("language", "system").status == 0)
        #expect(try device.file.read() == DevicePreferences(isSimulator: true, signOuts: 2))
    }

    @Test("refuses what it cannot set, and changes nothing") func refusesWhatCannot() async throws {
        let device = try Device()
        let restrict = await device.till("restrict", "perhaps")
        #expect(restrict.status == 64)
        #expect(restrict.errors.contains("expected on or off."))
        let language = await device.till("language", "deutsch bitte")
        #expect(language.status == 64)
        #expect(language.errors.contains("en-US"))
        #expect(!FileManager.default.fileExists(atPath: device.file.path))
    }

    @Test("signs nobody in, and says where one does") func signsNobodySays() async throws {
        let device = try Device()
        let run = await device.till("sign-in", "ada@example.com")
        #expect(run.status == 1)
        #expect(run.errors.contains("wait for its prompt"))
    }

    @Test("stops at a file that it does not understand, and leaves it alone") func stopsAtFile() async throws {
        let device = try Device()
        try FileManager.default.createDirectory(
            atPath: device.folder + "/till", withIntermediateDirectories: true)
        for text in ["not JSON", #"{"language": "!"}"#, String(repeating: " ", count: 70_000)] {
            try text.write(toFile: device.file.path, atomically: true, encoding: .utf8)
            #expect(await device.till("show").status == 78, "\(text.prefix(20))")
            #expect(await device.till("sign-out").status == 78)
            #expect(try String(contentsOfFile: device.file.path, encoding: .utf8) == text)
        }
    }

    private static let app = "com.example.monkeycredits"

    @Test("leaves a purchase for an app, and says how many wait") func leavesPurchaseApp() async throws {
        let device = try Device()
        let data = device.transcript.data + "/share"
        let environment = ["XDG_DATA_HOME": data, "HOME": device.transcript.data]
        let run = await device.transcript.till(
            "device", "promote", "coins", "--app", Self.app, environment: environment)
        #expect(run.status == 0)
        #expect(run.text.contains("com.example.monkeycredits is asked whether to sell coins"))
        let folder = PromotionFolder(
            of: try #require(BundleID(Self.app)), in: DeviceFolders(settings: "", data: data + "/till"))
        let file = try #require(folder.files.first)
        #expect(PromotedPurchase(try Data(contentsOf: URL(fileURLWithPath: file)))?.productId.text == "coins")
        let second = await device.transcript.till(
            "device", "promote", "coins", "--app", Self.app, "--json", environment: environment)
        #expect(second.text.contains("\"waiting\" : 2"))
        for number in 0..<(PromotionFolder.longest - 2) {
            try folder.add(
                PromotedPurchase(try #require(ProductID("coins"))), at: Instant(millisecondsSinceEpoch: Int64(number)))
        }
        let refused = await device.transcript.till(
            "device", "promote", "coins", "--app", Self.app, environment: environment)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("wait for the app already"))
    }

    @Test("P41: hands the purchase of a link to its app, and explains a link that is none") func opensLink()
        async throws
    {
        let device = try Device()
        let data = device.transcript.data + "/share"
        let environment = ["XDG_DATA_HOME": data, "HOME": device.transcript.data]
        let link = "itms-services://?action=purchaseIntent&bundleId=\(Self.app)&productIdentifier=coins"
        let run = await device.transcript.till("device", "open", link, environment: environment)
        #expect(run.status == 0 && run.text.contains("\(Self.app) is asked whether to sell coins"))
        let folder = PromotionFolder(
            of: try #require(BundleID(Self.app)), in: DeviceFolders(settings: "", data: data + "/till"))
        let file = try #require(folder.files.first)
        #expect(PromotedPurchase(try Data(contentsOf: URL(fileURLWithPath: file)))?.productId.text == "coins")
        let refused = await device.transcript.till("device", "open", "https://example.com", environment: environment)
        #expect(refused.status == 64 && refused.errors.contains("action=purchaseIntent"))
    }

    @Test(
        "leaves nothing where product or app are none, or the folder cannot be written",
        arguments: [
            ("no product", "com.example.app", 64), ("coins", "no bundle", 64), ("coins", "com.example.app", 78),
        ])
    func leavesNothingWhere(
        product: String, app: String, status: Int
    ) async throws {
        let device = try Device()
        // A file is where the folder would be.
        let share = device.transcript.data + "/share"
        try FileManager.default.createDirectory(atPath: device.transcript.data, withIntermediateDirectories: true)
        try "".write(toFile: share, atomically: true, encoding: .utf8)
        let run = await device.transcript.till(
            "device", "promote", product, "--app", app,
            environment: ["XDG_DATA_HOME": share, "HOME": device.transcript.data])
        #expect(Int(run.status) == status, "\(run.errors)")
    }
}
