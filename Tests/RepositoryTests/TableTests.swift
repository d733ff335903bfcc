import Testing

@Suite("The table of arrows")
struct TableTests {
    @Test("Every line names targets that have a line")
    func closed() {
        for (target, named) in ImportTable.targets {
            for name in named { #expect(ImportTable.targets[name] != nil, "\(target) names \(name)") }
        }
    }

    @Test("No target reaches itself")
    func acyclic() {
        for target in ImportTable.targets.keys { #expect(!ImportTable.reach(of: target).contains(target), "\(target)") }
    }

    @Test("The vocabulary stands on nothing of ours, and the option parser on nothing but the vocabulary")
    func ground() {
        #expect(ImportTable.reach(of: "StoreModel").isEmpty)
        #expect(ImportTable.reach(of: "CommandOptions") == ["StoreModel"])
    }

    @Test("The store does not know the device, nor the device the store's database")
    func sides() {
        for target in ["StoreService", "StoreServer", "StoreWeb", "till"] {
            #expect(!ImportTable.reach(of: target).contains("StoreKit"), "\(target)")
        }
        #expect(!ImportTable.reach(of: "StoreKit").contains("StoreDatabase"))
        #expect(ImportTable.reach(of: "StoreKitTest").contains("StoreDatabase"))
        #expect(!ImportTable.reach(of: "StoreBackend").contains("StoreService"))
        #expect(!ImportTable.reach(of: "till").contains("StoreBackend"))
    }

    @Test("The manifest's own targets are found")
    func manifest() throws {
        let package = try #require(Repository.this.file("Package.swift")?.source)
        let names = KnownTargets.targets(in: package).map(\.name)
        #expect(Set(names).isSuperset(of: ["StoreModel", "COpenSSL", "CommandOptions", "CommandOptionsTests"]))
        #expect(names.contains("RepositoryTests"))
        #expect(Set(names).count == names.count)
    }

    @Test("Names are split into words as people read them")
    func words() {
        #expect(NameWords.words(of: "KeyManager") == ["Key", "Manager"])
        #expect(NameWords.words(of: "Date+Helpers.swift") == ["Date", "Helpers", "swift"])
        #expect(NameWords.words(of: "requestHandler2") == ["request", "Handler2"])
    }
}
