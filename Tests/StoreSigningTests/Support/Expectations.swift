import TestSupport
import Testing

@testable import StoreSigning

/// Expects a refusal of exactly this kind.
func expectRefusal<Value>(
    _ code: SigningError.Code, _ comment: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) {
    let error = #expect(throws: SigningError.self, Comment(rawValue: comment()), sourceLocation: sourceLocation) {
        _ = try body()
    }
    #expect(error?.code == code, "\(comment()) \(error?.message ?? "")", sourceLocation: sourceLocation)
}

/// What a parser makes of a mutant; nil if it is refused, as it should be, with a `SigningError`.
func reading<Value>(
    _ mutant: Mutants.Mutant, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) -> Value? {
    do {
        return try body()
    } catch is SigningError {
        return nil
    } catch {
        Issue.record("\(mutant): an error of another kind: \(error)", sourceLocation: sourceLocation)
        return nil
    }
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a mutation test that hangs; a soak may take its time.
    static var mutationTimeLimit: Self { .timeLimit(.minutes(RandomizedRun.isSoak ? 240 : 2)) }
}
