import Foundation
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreSigning

/// The file of the app's receipt, which is replaced as a whole and never without being verified.
actor ReceiptFile {
    nonisolated let url: URL
    private let device: RegisteredDevice
    private var last: Task<Result<Void, ConnectionError>, Never>?

    init(in folder: String, _ environment: StoreEnvironment, _ device: RegisteredDevice) {
        let name = environment == .production ? "receipt" : "sandboxReceipt"
        url = URL(fileURLWithPath: folder + "/StoreKit/" + name)
        self.device = device
    }

    /// Whether there is a whole receipt. A power failure may leave less, which is got anew then.
    nonisolated var isThere: Bool {
        guard let bytes = try? Data(contentsOf: url) else { return false }
        return (try? AppReceipt(unverified: Array(bytes))) != nil
    }

    /// Gets the receipt as it stands now. One renewal comes after the other, so that the last one wins.
    ///
    /// - Parameter properties: what it is to be like in the sandbox, until it is renewed once more.
    func renew(_ properties: ReceiptProperties = ReceiptProperties()) async throws(ConnectionError) {
        let former = last
        let task = Task(executorPreference: TaskThreads.executor) { () -> Result<Void, ConnectionError> in
            _ = await former?.value
            do throws(ConnectionError) {
                return .success(try await self.fetch(properties))
            } catch {
                return .failure(error)
            }
        }
        last = task
        try await task.value.get()
    }

    private nonisolated func fetch(_ properties: ReceiptProperties) async throws(ConnectionError) {
        let answer = try await device.receipt(properties)
        do {
            guard let bytes = Base64.decode(answer.receipt) else {
                throw SigningError(.malformed, "the receipt is not Base64")
            }
            let receipt = try device.profile.receipts.verify(bytes).receipt
            guard receipt.bundleID == device.profile.bundle.text else {
                throw SigningError(.malformed, "the receipt is of another app")
            }
            try PrivateFile.replace(url.path, with: bytes)
        } catch {
            throw ConnectionError(.malformed, code: "receipt_unusable", "The receipt cannot be used: \(error)")
        }
    }
}
