package import StoreModel
package import StoreSigning

/// Everything that there is to say of a receipt without asking the books: what is in it, whether it is genuine, whom it is
/// for, and what is unusual.
package struct ReceiptExamination: Sendable {
    /// Something that whoever has the receipt should know.
    package struct Finding: Hashable, Sendable {
        /// Whether a receipt with it is no good; else it is only unusual.
        package let isError: Bool
        package let message: String

        static func error(_ message: String) -> Finding { Finding(isError: true, message: message) }
        static func note(_ message: String) -> Finding { Finding(isError: false, message: message) }
    }

    /// Who signs the receipts that are genuine.
    package struct Authority: Sendable {
        /// The environment of this store, or nil for a root from elsewhere.
        package let environment: StoreEnvironment?
        let app: ReceiptVerifier
        let transaction: TransactionReceiptVerifier

        package init(
            _ environment: StoreEnvironment?, roots: [Certificate], intermediates: [Certificate],
            revocations: Revocations
        ) throws {
            self.environment = environment
            app = try ReceiptVerifier(roots: roots, revocations: revocations)
            transaction = try TransactionReceiptVerifier(
                roots: roots, intermediates: intermediates, revocations: revocations)
        }
    }

    package let isAppReceipt: Bool
    /// Of an app receipt; empty for the form of iOS 6, which has ``entries`` instead.
    package internal(set) var attributes: [ReceiptContents.Attribute] = []
    package internal(set) var entries: [(key: String, value: String)] = []
    package internal(set) var certificates: [Certificate] = []
    /// Who signed it; nil if nobody who is trusted did.
    package internal(set) var authority: Authority?
    /// Whether it was made for the device; nil if none was named.
    package internal(set) var fitsDevice: Bool?
    package internal(set) var findings: [Finding] = []

    package var isGood: Bool { !findings.contains(where: \.isError) }

    /// Examines a receipt. Throws if it cannot be read at all.
    ///
    /// - Parameters:
    ///   - device: the identifier of the device that it should be for.
    package init(
        _ bytes: [UInt8], trusting authorities: [Authority], device: [UInt8]?, at now: Instant
    ) throws {
        switch try ReceiptForm(of: bytes) {
        case .signedData:
            isAppReceipt = true
            let contents = try ReceiptContents(bytes)
            (attributes, certificates) = (contents.attributes, contents.certificates)
            noteOddities(attributes, in: "the receipt")
            judge(authorities) { (try $0.app.verify(bytes).receipt, nil) }
            try examine(AppReceipt(unverified: bytes), device: device, at: now)
        case .propertyList:
            isAppReceipt = false
            entries = try TransactionReceiptVerifier.claimedEntries(of: bytes)
            let claimed = try TransactionReceiptVerifier.claimedEnvironment(of: bytes)
            judge(authorities) {
                _ = try $0.transaction.verify(bytes)
                return (nil, claimed)
            }
            if device != nil {
                findings.append(.note("a receipt in the form of iOS 6 has no device hash; nothing was compared"))
            }
        }
    }

    /// Finds who signed it, and whether that agrees with what it says of itself.
    private mutating func judge(
        _ authorities: [Authority], _ verify: (Authority) throws -> (AppReceipt?, StoreEnvironment?)
    ) {
        guard !authorities.isEmpty else { return }
        var reason = ""
        for authority in authorities {
            do {
                let (receipt, claimed) = try verify(authority)
                self.authority = authority
                let said = receipt?.type.environment ?? claimed
                if let environment = authority.environment, said != environment {
                    findings.append(
                        .error(
                            "it says that it is of \(said?.rawValue ?? "neither environment"), and was signed by "
                                + environment.rawValue))
                }
                return
            } catch {
                reason = (error as? SigningError)?.message ?? "\(error)"
            }
        }
        findings.append(.error("it is not genuine: \(reason)"))
    }
}
