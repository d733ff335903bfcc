import Foundation
import StoreHTTP
import StoreHTTPListener
import StoreService
import TestProcessor

/// The test processor as a process of its own, as `till processor serve` puts it together.
///
/// `till-bench serve-processor FOLDER` prints 0, serves until its input ends, and is not meant for people.
enum ProcessorProgram {
    static let word = "serve-processor"

    static func socket(in folder: String) -> String { folder + "/processor.sock" }

    static func run(_ arguments: some Sequence<String>) -> Never {
        do {
            guard let folder = Array(arguments).first else { throw BenchmarkError("a folder is missing") }
            let processor = try DurableTestProcessor(
                TestProcessorLogFile(path: folder + "/effects.jsonl"), actionURL: "http://localhost/")
            let routes = TestProcessorRoutes(processor, late: .seconds(15), crash: {}, acted: {})
            let service = HTTPService(routes.routes, errors: JSONErrorForm()) { error, _ in
                StandardError.print("till-bench \(word): \(error)")
            }
            let listener = try HTTPListener(ListenerConfiguration(.unix(socket(in: folder))), serving: service)
            print(0)
            fflush(nil)
            while readLine() != nil {}
            withExtendedLifetime(listener) {}
        } catch {
            StandardError.print("till-bench \(word): \(error)")
            exit(1)
        }
        exit(0)
    }
}
