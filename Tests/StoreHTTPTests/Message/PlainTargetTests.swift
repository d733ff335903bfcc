import StoreHTTP
import TestSupport
import Testing

@Suite("A path that needs no reading is read like any other")
struct PlainTargetTests {
    @Test("Whether or not it has a query, which is read the longer way, a path means the same")
    func sameAsWithQuery() {
        var random = RandomizedRun.generator(named: "plain targets")
        for _ in 0..<RandomizedRun.cases(20_000) {
            let path = Self.path(&random)
            let short = try? RequestTarget(path)
            let long = try? RequestTarget(path + "?a")
            #expect(short?.segments == long?.segments, "\(path)")
            #expect(short?.endsWithSlash == long?.endsWithSlash, "\(path)")
            #expect(short?.authority == long?.authority, "\(path)")
            #expect(short.map { $0.raw == path } ?? true, "\(path)")
        }
    }

    @Test("The limit of segments holds for plain paths", arguments: [64, 65])
    func segments(_ count: Int) {
        let path = String(repeating: "/a", count: count)
        #expect((try? RequestTarget(path)) == nil ? count == 65 : count == 64)
    }

    /// Words, slashes and what makes a path one that is not plain.
    private static func path(_ random: inout SplitMix64) -> String {
        let pieces = [
            "/", "/", "/", "a", "Z9", ".", "..", "-_.", "%41", "%2F", "%2e", "+", "~", "*", "é", " ", "%", ":",
        ]
        return "/"
            + (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}
