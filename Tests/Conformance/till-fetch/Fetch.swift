import Foundation
import StoreHTTPClient

/// The HTTP client for tests from outside: one request in JSON per argument, or per line of input where there are no
/// arguments, and one answer in JSON per line.
enum Fetch {
    static func run() {
        Task {
            let requests = CommandLine.arguments.dropFirst()
            for request in requests { await answer(request) }
            if requests.isEmpty {
                // Reading blocks a thread of the pool, which this program has to spare: one request at a time is served.
                while let line = readLine() { await answer(line) }
            }
            exit(0)
        }
        dispatchMain()
    }

    private struct Name: Decodable {
        let operation: String
    }

    private static func answer(_ line: String) async {
        let answer: any Encodable
        do {
            answer = try await result(of: Data(line.utf8))
        } catch let error as HTTPClientError {
            answer = Failure(error.code.rawValue, "\(error)", outcome: error.outcome.rawValue)
        } catch let error as DownloadError {
            answer = Failure(error.code.rawValue, "\(error)")
        } catch {
            answer = Failure("bad_request", "\(error)")
        }
        let bytes = (try? JSONEncoder().encode(answer)) ?? Data(#"{"error":{"code":"bad_answer"}}"#.utf8)
        FileHandle.standardOutput.write(bytes + [UInt8(ascii: "\n")])
    }

    private static func result(of line: Data) async throws -> any Encodable {
        let decoder = JSONDecoder()
        switch try decoder.decode(Name.self, from: line).operation {
        case "send": return Success(ok: try await decoder.decode(SendOperation.self, from: line).run())
        case "download": return Success(ok: try await decoder.decode(DownloadOperation.self, from: line).run())
        case "storm": return Success(ok: try await decoder.decode(StormOperation.self, from: line).run())
        case "kinds": return Success(ok: try decoder.decode(KindsOperation.self, from: line).run())
        case "sign": return Success(ok: try decoder.decode(SignOperation.self, from: line).run())
        default: throw DownloadError(.refused, "there is no such operation")
        }
    }

    private struct Success<Answer: Encodable>: Encodable {
        let ok: Answer
    }

    private struct Failure: Encodable {
        struct Reason: Encodable {
            let code: String
            let message: String
            let outcome: String?
        }

        let error: Reason

        init(_ code: String, _ message: String, outcome: String? = nil) {
            error = Reason(code: code, message: message, outcome: outcome)
        }
    }
}
