import Foundation
import StoreModel
import StoreServer
import Testing

@testable import till

@Suite("till review check") struct ReviewCheckTests {
    private static func lines(_ isDone: Bool) throws -> [String] {
        let answer = """
            {"state": "\(isDone ? "ready_to_submit" : "missing_metadata")", "canBeSubmitted": \(isDone), "openVersion": "1.0",
            "entries": [{"need": "price", "isDone": \(isDone), "isOptional": false, "sentence": "A price"},
            {"need": "version", "isDone": \(isDone), "isOptional": false, "sentence": "A version"},
            {"need": "review_screenshot", "isDone": false, "isOptional": true, "sentence": "A picture"}]}
            """
        let decoded = try JSONDecoder().decode(ReadinessAnswer.self, from: Data(answer.utf8))
        return ReviewCommand.lines(
            decoded, of: try ProductID(parsing: "lamp"), in: try BundleID(parsing: "com.acme.lumen"))
    }

    @Test("R1.3: says what is missing and what may follow, and what comes next once nothing is missing") func missing()
        throws
    {
        #expect(
            try Self.lines(false) == [
                "lamp is missing metadata", "  missing: A price", "  missing: A version", "  may follow: A picture",
                "  to enter a version: till versions add com.acme.lumen VERSION",
            ])
        let ready = try Self.lines(true)
        #expect(ready[1] == "  done: A price")
        #expect(ready.last?.hasPrefix("  next: till review submit com.acme.lumen lamp --with 1.0") == true)
    }
}
