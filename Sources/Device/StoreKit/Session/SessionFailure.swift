/// Why something came to nothing, as it is kept and told.
package struct SessionFailure: Error, Codable, Hashable, Sendable {
    /// The code of `SKError`, or one of its domain that has no case.
    package var code: Int
    /// The reason for programs: `unreachable`, `declined`, `not_allowed`…
    package var reason: String
    /// The reason for people, safe to log.
    package var text: String
    /// What the log of the store knows the request by.
    package var request: String?

    package init(code: Int, reason: String, text: String, request: String? = nil) {
        self.code = code
        self.reason = reason
        self.text = text
        self.request = request
    }
}

extension SessionFailure: CustomStringConvertible {
    package var description: String { request.map { "\(text) (\(reason), request \($0))" } ?? "\(text) (\(reason))" }
}

extension SessionFailure {
    /// The code of failures inside StoreKit or the store, which no case of `SKError` stands for.
    static let internalCode = 5002

    /// How the text begins where the store could not be reached.
    static let unreachable = "Cannot connect to the store"

    /// The person said no.
    package static let cancelled = SessionFailure(
        code: 2, reason: "cancelled", text: "The customer cancelled the purchase.")
    /// In-app purchases are off on this device.
    package static let restricted = SessionFailure(
        code: 4, reason: "restricted",
        text: "In-app purchases are not allowed on this device. To allow them: till device restrict off")
    /// The device plays simulator.
    package static let simulator = SessionFailure(
        code: internalCode, reason: "simulator",
        text: "Nothing is bought or restored in a simulator. To end that: till device simulator off")
    /// What was bought was refunded or revoked before the app heard of it.
    package static let revoked = SessionFailure(
        code: internalCode, reason: "revoked", text: "The purchase was taken back before the app heard of it.")
    /// The session has ended.
    package static let ended = SessionFailure(
        code: internalCode, reason: "session_ended", text: "The session of StoreKit has ended.")

    /// The journal could not keep it.
    package static func journal(_ error: any Error) -> SessionFailure {
        SessionFailure(
            code: internalCode, reason: "journal", text: "The journal of purchases cannot be written: \(error).")
    }
}
