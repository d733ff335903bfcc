/// Who signs requests for a store of objects, and for which.
package struct SigningCredentials: Sendable {
    package let accessKey: String
    package let secretKey: String
    /// For credentials that end after a while.
    package let sessionToken: String?
    package let region: String
    package let service: String

    package init(
        accessKey: String, secretKey: String, sessionToken: String? = nil, region: String, service: String = "s3"
    ) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
    }
}
