import Foundation
import StoreSigning

/// One thing the tool can be asked to do: a request in JSON in, an answer in JSON out.
struct Operation {
    private let run: (Data, Session) throws -> Data

    init<Request: Decodable, Answer: Encodable>(_ body: @escaping (Request, Session) throws -> Answer) {
        run = { line, session in
            let request = try JSONDecoder().decode(Request.self, from: line)
            return try JSONEncoder().encode(Success(ok: body(request, session)))
        }
    }

    /// Everything that can be asked for, by the name in `operation`.
    static var all: [String: Operation] {
        let topics = [
            AuthorityOperations.table, BackendOperations.table, BearerTokenOperations.table,
            CertificateOperations.table, ContentOperations.table, KeyOperations.table,
            InterfaceOperations.table, ModelOperations.table, OfferOperations.table,
            ReceiptOperations.table,
            SecretOperations.table, SignedDataOperations.table, TransactionReceiptOperations.table,
        ]
        return topics.reduce(into: [:]) { all, topic in
            // Safe: the tables are constants, and every test calls this; one of two operations would else win silently.
            all.merge(topic) { _, _ in preconditionFailure("two operations have one name") }
        }
    }

    /// The answer to one line, which is an error's if anything is wrong with the line.
    static func answer(to line: Data, from operations: [String: Operation], in session: Session) -> Data {
        do {
            let name = try JSONDecoder().decode(Name.self, from: line).operation
            guard let operation = operations[name] else {
                throw SigningError(.unknownOperation, "there is no operation \(name)")
            }
            return try operation.run(line, session)
        } catch let error as SigningError {
            return failure(code: error.code.rawValue, message: error.message)
        } catch {
            return failure(code: "bad_request", message: "\(error)")
        }
    }

    private static func failure(code: String, message: String) -> Data {
        let failure = Failure(error: .init(code: code, message: message))
        return (try? JSONEncoder().encode(failure)) ?? Data(#"{"error":{"code":"bad_request","message":""}}"#.utf8)
    }

    private struct Name: Decodable {
        let operation: String
    }

    private struct Success<Answer: Encodable>: Encodable {
        let ok: Answer
    }

    private struct Failure: Encodable {
        struct Reason: Encodable {
            let code: String
            let message: String
        }
        let error: Reason
    }
}

extension SigningError.Code {
    static let unknownOperation = Self(rawValue: "unknown_operation")
    static let unknownHandle = Self(rawValue: "unknown_handle")
}
