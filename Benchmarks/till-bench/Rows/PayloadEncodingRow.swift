import Foundation
import StoreModel
import StoreSigning

struct PayloadEncodingRow: BenchmarkRow {
    let name = "payload-encoding"
    let summary = "The values of a transaction become the JSON that is signed, about 1 KB."
    let reference = "Python's json encoder (C inside)"

    private struct Input: Encodable {
        let payloads: [String]
    }

    func prepare() throws -> Contest {
        let samples = try SampleTransactions()
        let payloads = samples.payloads
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let ours = LoopContestant { index in
            _ = try encoder.encode(payloads[index % payloads.count])
        }
        let input = Input(payloads: samples.texts.map { String(decoding: $0, as: UTF8.self) })
        return try Contest(ours: ours, reference: PythonReference(script: "json_dumps", input: input))
    }
}
