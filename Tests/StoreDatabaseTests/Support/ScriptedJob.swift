import Testing

@testable import StoreDatabase

/// A job that notes how often it runs and how it ends.
// Safe: one test on one thread uses it.
final class ScriptedJob: TransactionJob, @unchecked Sendable {
    enum Ending: Equatable {
        case returned(Int)
        case threw(String)
        case refused(String, isRetryable: Bool)
    }

    let name: String
    private let body: (ScriptedJob, any WriteTransaction) throws -> Int
    private(set) var runs = 0
    private(set) var endings: [Ending] = []
    private var outcome: Result<Int, any Error> = .failure(Mistake("it has not run"))

    init(_ name: String, _ body: @escaping (ScriptedJob, any WriteTransaction) throws -> Int) {
        self.name = name
        self.body = body
        super.init(.serializable)
    }

    override func run(in transaction: any WriteTransaction) {
        runs += 1
        outcome = Result { try body(self, transaction) }
    }

    override var failure: (any Error)? {
        if case .failure(let error) = outcome { error } else { nil }
    }

    override func fail(_ error: any Error) { outcome = .failure(error) }

    override func conclude() {
        switch outcome {
        case .success(let value): endings.append(.returned(value))
        case .failure(let error): endings.append(.threw(Self.name(of: error)))
        }
    }

    override func refuse(_ error: any Error) {
        endings.append(.refused(Self.name(of: error), isRetryable: (error as? DatabaseError)?.isRetryable ?? false))
    }

    private static func name(of error: any Error) -> String {
        (error as? DatabaseError)?.code.rawValue ?? "\(error)"
    }

    /// `name: runs, ending`, for transcripts.
    var transcript: String {
        let ends = endings.map { ending in
            switch ending {
            case .returned(let value): "returned \(value)"
            case .threw(let error): "threw \(error)"
            case .refused(let error, let isRetryable): "refused with \(error)\(isRetryable ? ", retryable" : "")"
            }
        }
        return "\(name): \(runs == 1 ? "one run" : "\(runs) runs"), \(ends.joined(separator: " and "))"
    }
}

/// An error of a closure's own.
struct Mistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
