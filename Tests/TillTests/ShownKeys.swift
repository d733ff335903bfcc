/// What `till keys show --json` says, as a script reads it.
struct ShownKeys: Decodable {
    struct Environment: Decodable {
        let environment: String
        let organization: String
        let path: String
        let protected: Bool
        let certificates: [Certificate]
    }

    struct Certificate: Decodable {
        let purpose: String
        let role: String
        let number: Int
        let state: String
        let subject: String
        let serialNumber: String
        let algorithm: String
        let notBefore: String
        let notAfter: String
        let fingerprint: String
        let certificateFile: String
        let keyFile: String?

        var name: String { "\(purpose) \(role) \(number) \(state)" }
    }

    let environments: [Environment]
}
