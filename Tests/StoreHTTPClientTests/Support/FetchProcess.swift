import Foundation
import TestSupport

/// The program `till-fetch`, which was built together with these tests.
enum FetchProcess {
    static var executable: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("till-fetch")
    }

    /// The request for a download.
    static func download(_ url: String, to destination: String, sha256: [UInt8]? = nil) -> String {
        var request = ["operation": "download", "url": url, "destination": destination]
        if let sha256 { request["sha256"] = Data(sha256).base64EncodedString() }
        return json(request)
    }

    static func json(_ request: [String: String]) -> String {
        let data = try? JSONSerialization.data(withJSONObject: request, options: .sortedKeys)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
