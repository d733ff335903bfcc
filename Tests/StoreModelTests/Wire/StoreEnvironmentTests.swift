import StoreModel
import Testing

@Suite("Environments")
struct StoreEnvironmentTests {
    @Test("There are two environments and none that switches verification off (P3)")
    func twoEnvironments() {
        #expect(StoreEnvironment.allCases == [.production, .sandbox])
        #expect(StoreEnvironment.allCases.map(\.rawValue) == ["production", "sandbox"])
    }
}
