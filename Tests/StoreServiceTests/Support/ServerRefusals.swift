import StoreService
import Testing

extension ServerAPIError.Code {
    /// Expects that something is refused with this code.
    func refuses<Result>(
        _ body: () async throws -> Result, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: ServerAPIError.self, sourceLocation: sourceLocation) { _ = try await body() }
        #expect(error?.code == self, "\(error?.reason ?? "")", sourceLocation: sourceLocation)
    }
}
