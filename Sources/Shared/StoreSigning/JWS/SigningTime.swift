import Foundation
import StoreModel

/// When a payload says it was signed: `signedDate`, or `receiptCreationDate` for the app's own transaction.
struct SigningTime: Decodable {
    let signedDate: Instant?
    let receiptCreationDate: Instant?

    static func read(from payload: [UInt8]) throws -> Instant {
        let times: SigningTime
        do {
            // Foundation looks at no more text than it decodes, and would leave the rest to the next reader's judgement.
            _ = try UTF8Span(validating: payload.span)
            times = try JSONDecoder().decode(SigningTime.self, from: Data(payload))
        } catch {
            throw SigningError(.malformed, "the payload of the JWS is not JSON with a signing date")
        }
        guard let instant = times.signedDate ?? times.receiptCreationDate else {
            throw SigningError(.malformed, "the payload of the JWS has neither signedDate nor receiptCreationDate")
        }
        return instant
    }
}
