package import StoreHTTP
import StoreModel
import Testing

/// The form of errors of one route, which records a refusal that its description does not have as a failure of the test.
private struct DeclaredRefusals: ErrorForm {
    let form: any ErrorForm
    let operation: OperationDocumentation

    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        if let problem = problem(of: error) {
            Issue.record("\(operation.id) answers \(error.status.rawValue) \(error.code), \(problem): \(error.message)")
        }
        return form.response(to: error, for: request)
    }

    private func problem(of error: APIError) -> String? {
        // Failures of the store may happen to every route.
        guard error.status.rawValue < 500 else { return nil }
        guard let described = operation.responses.first(where: { $0.status == error.status }) else {
            return "a status that its description lacks"
        }
        guard let code = RefusalCode(rawValue: error.code),
            code.declaration.status.rawValue == error.status.rawValue
        else { return nil }
        return described.codes.contains(error.code) ? nil : "which it has not declared"
    }
}

extension [Route] {
    /// The routes, each of which fails the test when it refuses with what its description does not have.
    package func holdingToDescriptions(_ errors: any ErrorForm = JSONErrorForm()) -> [Route] {
        map { route in
            guard let operation = route.documentation, operation.responses.contains(where: \.isError) else {
                return route
            }
            var route = route
            route.errors = DeclaredRefusals(form: route.errors ?? errors, operation: operation)
            return route
        }
    }
}
