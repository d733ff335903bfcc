package import StoreHTTP
package import StoreModel
import StoreRules
package import StoreService

/// Where payment processors say what happened without being asked, for each environment.
package struct ProcessorRoutes: Sendable {
    private static let bodyBytes = 64 * 1024
    private static let environment = PathParameter<StoreEnvironment>(
        "environment", rule: "an environment of this store", parse: StoreEnvironment.init(rawValue:))

    private let stores: @Sendable (StoreEnvironment) -> EnvironmentStore?

    package init(_ stores: @escaping @Sendable (StoreEnvironment) -> EnvironmentStore?) {
        self.stores = stores
    }

    package var routes: [Route] {
        let stores = stores
        return [
            .post(
                "/{environment}/processor/v1/news", body: .collected(limit: Self.bodyBytes),
                suspending: { request in
                    guard let store = stores(try request[Self.environment]) else {
                        throw APIError(.notFound, code: "path_unknown", "There is nothing at this path.")
                    }
                    try await Self.take(request, store)
                    return HTTPResponse(.noContent)
                })
        ]
    }

    /// Looks after the charge that the news are about. What they say is asked for again, so that old news do no harm.
    private static func take(_ request: HTTPRequest, _ store: EnvironmentStore) async throws {
        let news: ProcessorNews
        do throws(ProcessorError) {
            news = try store.processor.news(
                field: { request.fields[$0] }, body: request.body.bytes, at: store.clocks.wall())
        } catch {
            throw APIError(.forbidden, code: error.code.rawValue, error.message)
        }
        guard let charge = ProcessorKeys.charge(of: news.key) else { return }
        _ = try await ChargeDriver(store).look(after: charge)
    }
}
