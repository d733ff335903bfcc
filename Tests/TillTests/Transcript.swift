import Foundation
import StoreModel
import Synchronization

@testable import till

/// Runs commands in this process, in a data directory of their own, and keeps what they wrote.
final class Transcript: Sendable {
    struct Run {
        let status: Int32
        let output: [UInt8]
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }

        func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONDecoder().decode(type, from: Data(output))
        }
    }

    /// 2026-11-21T12:00:00Z
    static let start = Instant(millisecondsSinceEpoch: 1_795_262_400_000)

    let data: String

    init() throws {
        data = NSTemporaryDirectory() + "till-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: data)
    }

    /// Runs `till` with these words. `answers` are what a person types when asked.
    func till(
        _ words: String..., at now: Instant = start, environment: [String: String] = [:], terminal: Bool = false,
        answers: [String]? = nil
    ) async -> Run {
        let output = Mutex<[UInt8]>([])
        let errors = Mutex<[UInt8]>([])
        let rest = Mutex(answers ?? [])
        let ask: @Sendable (String) throws -> String = { _ in
            rest.withLock { $0.isEmpty ? "" : $0.removeFirst() }
        }
        let context = CommandContext(
            arguments: words, environment: environment.merging(["TILL_DATA": data]) { given, _ in given }, now: now,
            write: { bytes in output.withLock { $0 += bytes } }, warn: { bytes in errors.withLock { $0 += bytes } },
            outputIsTerminal: terminal, ask: answers == nil ? nil : ask)
        let status = await TillProgram.main(context)
        return Run(
            status: status, output: output.withLock { $0 },
            errors: String(decoding: errors.withLock { $0 }, as: UTF8.self))
    }

    /// Writes a file into the data directory and answers its path.
    func file(_ name: String, _ text: String) throws -> String {
        let path = data + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Every file below the data directory with its content.
    func files() throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: data)
        return names.reduce(into: [:]) { files, name in
            files[name] = FileManager.default.contents(atPath: data + "/" + name)
        }
    }
}
