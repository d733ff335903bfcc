import StoreKit

extension SKTestSession {
    /// The error that a call of StoreKit fails with; nil where it does not fail on purpose.
    public func simulatedError<API>(forAPI api: API) async -> API.Failure? where API: FailableStoreKitAPI {
        guard let named = api as? any NamedAPI else { return nil }
        return values.current.failure(of: type(of: named).call)?.failure as? API.Failure
    }

    /// Lets a call of StoreKit fail with an error; nil lets it work again.
    ///
    /// ```swift
    /// try await session.setSimulatedError(.generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .loadProducts)
    /// ```
    ///
    /// It holds for both forms of StoreKit: a purchase that fails with `productUnavailable` fails with
    /// `SKError.storeProductNotAvailable` where it was added to the queue of payments. What the store has meanwhile, no simulated
    /// error changes.
    ///
    /// - Throws: ``SKTestError/invalidAction`` for a call of another's making.
    public func setSimulatedError<API>(
        _ error: API.Failure?, forAPI api: API
    ) async throws where API: FailableStoreKitAPI {
        guard let named = api as? any NamedAPI else {
            throw SKTestError(.invalidAction, "\(API.self) is no call of StoreKit.")
        }
        let call = type(of: named).call
        let failure = (error as? any ThrownFailure).map(SimulatedFailure.init)
        values.change { $0.setFailure(failure, of: call) }
    }
}
