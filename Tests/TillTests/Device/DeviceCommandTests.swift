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

    @Test func `shows the usual where nothing was set, and writes nothing`() async throws {
        let device = try Device()
        let run = await device.till("show")
        #expect(run.status == 0)
        #expect(run.text.contains("In-app purchases  allowed"))
        #expect(run.text.contains("Language          that of the system"))
        #expect(!FileManager.default.fileExists(atPath: device.file.path))
    }

    @Test func `keeps what is set, for the person alone, and shows it to programs`() async throws {
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

    @Test func `refuses what it cannot set, and changes nothing`() async throws {
        let device = try Device()
        #expect(await device.till("restrict", "perhaps").status == 64)
        let language = await device.till("language", "deutsch bitte")
        #expect(language.status == 64)
        #expect(language.errors.contains("en-US"))
        #expect(!FileManager.default.fileExists(atPath: device.file.path))
    }

    @Test func `signs nobody in, and says where one does`() async throws {
        let device = try Device()
        let run = await device.till("sign-in", "ada@example.com")
        #expect(run.status == 1)
        #expect(run.errors.contains("wait for its prompt"))
    }

    @Test func `stops at a file that it does not understand, and leaves it alone`() async throws {
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
}
