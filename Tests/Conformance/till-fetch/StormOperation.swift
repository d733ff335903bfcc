import Foundation
import StoreHTTP
import StoreHTTPClient
import TestSupport

/// Cancels requests at any instant, and shows what this process holds before and after.
struct StormOperation: Decodable {
    let url: String
    let rounds: Int

    struct Answer: Encodable {
        var descriptors: [Int] = []
        var handles: [Int] = []
        var pages: [Int] = []
        var outcomes: [String: Int] = [:]
    }

    func run() async throws -> Answer {
        var answer = Answer()
        var random = RandomizedRun.generator(named: "storm of cancelled requests")
        // The first rounds fill caches that stay.
        for round in 0..<rounds {
            if round == 0 || round == rounds / 2 { await note(&answer) }
            let client = HTTPClient(ClientSettings().configuration)
            for _ in 0..<5 {
                for outcome in await storm(client, &random) { answer.outcomes[outcome, default: 0] += 1 }
            }
            await client.shutDown()
        }
        await note(&answer)
        return answer
    }

    private func storm(_ client: HTTPClient, _ random: inout SplitMix64) async -> [String] {
        var tasks: [(Task<String, Never>, Int)] = []
        for _ in 0..<20 {
            let isStreamed = Bool.random(using: &random)
            let isUpload = Bool.random(using: &random)
            tasks.append(
                (Task { await request(client, isStreamed, isUpload) }, 1 << Int.random(in: 0...9, using: &random)))
        }
        return await withTaskGroup(of: String.self) { group in
            for (task, yields) in tasks {
                group.addTask {
                    await RandomizedRun.giveWay(yields)
                    task.cancel()
                    return await task.value
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func request(_ client: HTTPClient, _ isStreamed: Bool, _ isUpload: Bool) async -> String {
        let stream = BodyStream(limit: 1000)
        let writer = Task {
            while true { try await stream.write([UInt8](repeating: 1, count: 600)) }
        }
        var request = ClientRequest.get(url)
        if isUpload { request = ClientRequest(.post, url, body: .stream(length: nil, stream)) }
        var outcome = "answered"
        do {
            if isStreamed {
                for try await _ in try await client.stream(request).body {}
            } else {
                try await client.send(request)
            }
        } catch let error as HTTPClientError {
            outcome = "\(error.code.rawValue) \(error.outcome.rawValue)"
        } catch {
            outcome = "\(type(of: error))"
        }
        if !isUpload { stream.giveUp() }
        // Ends only if the client has let go of the body of the request.
        _ = await writer.result
        return outcome
    }

    private func note(_ answer: inout Answer) async {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        answer.descriptors.append(names.count)
        answer.handles.append(HTTPClient.openHandles)
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        answer.pages.append(words.count > 1 ? Int(words[1]) ?? 0 : 0)
    }
}
