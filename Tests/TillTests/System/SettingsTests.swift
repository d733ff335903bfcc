import CommandOptions
import Foundation
import StoreModel
import StoreServer
import StoreService
import Testing

@testable import till

@Suite("Where the settings of a store came from") struct SettingsTests {
    private static func settings(
        _ words: [String], environment: [String: String] = [:], file: String? = nil
    ) throws -> [String: SystemSetting] {
        let lookup: SettingsLookup = { _ in
            try file.map { try SettingsFile(path: "/srv/till/till.conf", contents: Array($0.utf8)) }
        }
        let parsed = TillProgram.program.parse(
            ["serve"] + words, environment: environment, settings: lookup, width: nil)
        guard case .run(let invocation) = parsed else {
            Issue.record("\(parsed)")
            return [:]
        }
        let all = SystemSetting.all(invocation.arguments)
        #expect(all.count == ServeCommand.options.count)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    @Test("An option, a variable, a line of the file, and the default, in this order")
    func sources() throws {
        let found = try Self.settings(
            ["--drain-seconds", "7"],
            environment: ["TILL_DRAIN_SECONDS": "8", "TILL_COMMISSION": "15", "TILL_VERBOSE": ""],
            file: "# Ours\ncommission = 20\nhosts = store.example.com\n")
        #expect(found["drain-seconds"]?.value == "7" && found["drain-seconds"]?.place == "--drain-seconds")
        #expect(found["commission"]?.value == "15" && found["commission"]?.place == "TILL_COMMISSION")
        #expect(found["hosts"]?.value == "store.example.com" && found["hosts"]?.place == "/srv/till/till.conf:3")
        let standard = try #require(found["listen"])
        #expect(standard.source == .standard && standard.place == nil && standard.value == "127.0.0.1:8080")
        #expect(found["verbose"]?.text == "false" && found["public-url"]?.text == "not set")
    }

    @Test("X8: An address with a password is not shown, wherever it came from")
    func secrets() throws {
        let address = "postgresql://ada:lovelace@127.0.0.1/till"
        for found in [
            try Self.settings(["--database", address]), try Self.settings([], environment: ["TILL_DATABASE": address]),
            try Self.settings([], file: "database = \(address)\n"),
        ] {
            let setting = try #require(found["database"])
            #expect(setting.value == nil && setting.text == "(secret)" && setting.isSecret)
        }
        #expect(try Self.settings([])["database"]?.value == "sqlite")
    }

    @Test("Paths in a terminal are whole, however long")
    func paths() {
        let path = "/" + String(repeating: "a-long-folder/", count: 20) + "till.conf:7"
        let setting = SettingReportSample.report(place: path)
        #expect(SettingsCommand.lines([setting]) == ["hosts = a.example.com  (file \(path))"])
    }
}

private enum SettingReportSample {
    static func report(place: String) -> SettingReport {
        SettingReport(
            SystemSetting(
                name: "hosts", value: "a.example.com", source: .file, place: place, isSecret: false, help: ""))
    }
}
