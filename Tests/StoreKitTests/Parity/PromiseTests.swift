import Foundation
import Testing

@Suite("The page of what an app receives")
struct PromiseTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// The suite and the title of the test that each row of the page names.
    private func promises(of page: String = "WhatYouReceive") throws -> [(suite: String, title: String)] {
        let root = Self.tests.deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Documentation/StoreKit.docc/\(page).md"), encoding: .utf8)
        return page.matches(of: /\| (\w+Tests) "([^"]+)" \|/).map { (String($0.1), String($0.2)) }
    }

    private func source(of suite: String) throws -> String {
        let files = FileManager.default.enumerator(at: Self.tests, includingPropertiesForKeys: nil)
        let found = files?.compactMap { $0 as? URL }.first { $0.lastPathComponent == "\(suite).swift" }
        return try String(contentsOf: #require(found, "there is no \(suite)"), encoding: .utf8)
    }

    @Test("X1: each promise names a test that is there", arguments: [("WhatYouReceive", 15), ("HostedContent", 8)])
    func named(page: String, count: Int) throws {
        let promises = try promises(of: page)
        #expect(promises.count >= count)
        for promise in promises {
            let source = try source(of: promise.suite)
            #expect(source.contains("\(promise.title)\""), "\(promise.suite) has no test \"\(promise.title)\"")
        }
    }

    @Test("X1: no row of the page is without its test")
    func complete() throws {
        let root = Self.tests.deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Documentation/StoreKit.docc/WhatYouReceive.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("|") }
        let heads = rows.count { $0.hasPrefix("|---") }
        #expect(rows.count - 2 * heads == (try promises().count))
    }

    @Test("R2.5: The page of differences says of each code what brings it about, or that nothing does")
    func triggers() throws {
        let root = Self.tests.deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "Documentation/StoreKit.docc/DifferencesFromApplesPlatforms.md"),
            encoding: .utf8)
        let rows = page.matches(of: /(?m)^\| (\d+) \| [^|]+ \| ([^|]+) \|$/)
        #expect(rows.compactMap { Int($0.1) } == Array(0...20) + [5002, 5020])
        #expect(rows.count { $0.2.hasPrefix("nothing; ") } == 9)
    }
}
