import StoreHTTP
import Synchronization

/// Keeps the request that it sees, as a handler would get it.
final class RequestCatcher: Middleware {
    private let seen = Mutex<HTTPRequest?>(nil)

    var request: HTTPRequest? { seen.withLock { $0 } }

    func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        seen.withLock { [request] in $0 = request }
        return nil
    }
}
