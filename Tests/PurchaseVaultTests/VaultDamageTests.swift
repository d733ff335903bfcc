import Foundation
import StoreSigning
import TestSupport
import Testing

@testable import PurchaseVault

@Suite struct VaultDamageTests {
    private let homes = VaultHomes()
    private let key: VaultKey
    private let contents: VaultContents
    private let record: [UInt8]

    init() throws {
        let home = try homes.make()
        contents = try home.fill().contents
        key = try #require(try VaultKey(text: String(decoding: home.bytes("app.key"), as: UTF8.self)))
        record = try home.bytes()
    }

    /// Whether all of what is read was written, and how many entries are missing.
    private func lostEntries(in bytes: [UInt8]) throws -> Int? {
        guard let reading = try VaultRecord.read(bytes, key: key) else { return nil }
        let read = reading.contents
        #expect(read.unlocks.isSubset(of: contents.unlocks) && read.deliveries.isSubset(of: contents.deliveries))
        #expect(read.balances.allSatisfy { contents.balances[$0.key] == $0.value })
        #expect(read.count + read.lostEntries == contents.count)
        #expect(reading.damagedBytes > 0)
        return read.lostEntries
    }

    @Test("A record that nobody touched has no damage") func whole() throws {
        let reading = try #require(try VaultRecord.read(record, key: key))
        #expect(reading.damagedBytes == 0 && reading.contents == contents)
    }

    @Test("R4.4: Every byte that is flipped is noticed, and costs one entry at most") func flips() throws {
        var random = RandomizedRun.generator(named: "PurchaseVault/flips")
        var costly = 0
        for position in record.indices {
            var bytes = record
            bytes[position] ^= 1 << UInt8.random(in: 0...7, using: &random)
            let lost = try #require(try lostEntries(in: bytes), "byte \(position)")
            #expect(lost <= 1, "byte \(position)")
            costly += lost
        }
        // Every byte of an entry counts, the two headers stand for each other.
        let header = VaultRecord.headers(in: record)[0].bytes.count + 8 + AESGCM.nonceBytes + AESGCM.tagBytes
        #expect(costly == record.count - 2 * header)
    }

    @Test("R4.4: Wherever it is cut off, what is before the cut can be read") func cuts() throws {
        let header = VaultRecord.headers(in: record)[0].bytes.count + 8 + AESGCM.nonceBytes + AESGCM.tagBytes
        var before = contents.count
        for length in stride(from: record.count - 1, through: 0, by: -1) {
            let lost = try lostEntries(in: Array(record[..<length]))
            guard length >= header else {
                #expect(lost == nil, "\(length) bytes")
                continue
            }
            let left = contents.count - (lost ?? contents.count)
            #expect(left <= before, "\(length) bytes")
            before = left
        }
        #expect(before == 0)
    }

    @Test("An entry of an earlier record or of another index is none") func transplants() throws {
        let home = try homes.make()
        let vault = try home.fill()
        let rich = try home.bytes()
        try vault.change { try $0.spend(10, of: "credits") }
        let poor = try home.bytes()
        #expect(rich.count == poor.count)
        let marks = rich.indices.filter { rich[$0...].starts(with: Array("TVe1".utf8)) } + [rich.count]
        #expect(marks.count == contents.count + 1)
        for (start, end) in zip(marks, marks.dropFirst()) {
            var bytes = poor
            bytes.replaceSubrange(start..<end, with: rich[start..<end])
            try home.write(bytes)
            #expect(try home.open().contents.lostEntries == 1)
        }
        // Each says which it is, so that their order does not matter.
        let (first, second) = (poor[marks[0]..<marks[1]], poor[marks[1]..<marks[2]])
        try home.write(Array(poor[..<marks[0]] + second + first + poor[marks[2]...]))
        #expect(try home.open().damage == nil)
    }

    @Test("Damaged bytes of any kind are never read as something else") func mutants() throws {
        var mutator = Mutator(RandomizedRun.generator(named: "PurchaseVault/mutants"))
        for _ in 0..<RandomizedRun.cases(500) {
            let bytes = mutator.mutate(record)
            if bytes != record { _ = try lostEntries(in: bytes) }
        }
    }

    @Test("What is lost is refused, what is left is read, and nothing is written over until the vault is repaired")
    func refusals() throws {
        let home = try homes.make()
        let vault = try home.fill()
        var bytes = try home.bytes()
        // The first entry is an unlock.
        let entry = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("TVe1".utf8)) })
        bytes[entry + 20] ^= 1
        try home.write(bytes)
        #expect(try vault.damage?.contains("and 1 of its 8 entries") == true)
        #expect(try vault.contents.isUnlocked("sepia") && vault.contents.isUnlocked("mono"))
        #expect(code { _ = try vault.contents.isUnlocked("all") } == .damaged)
        #expect(code { try vault.change { try $0.unlock("new") } } == .damaged)
        #expect(code { try vault.setRecoveryPassphrase("correct horse") } == .damaged)
        #expect(try home.bytes() == bytes)

        #expect(try vault.repair()?.lastPathComponent == "app.damaged-1")
        #expect(try home.bytes("app.damaged-1") == bytes)
        #expect(try vault.damage == nil && vault.contents.balance(of: "credits") == Balance(40, isStale: true))
        #expect(try !vault.contents.isUnlocked("all"))
        #expect(try vault.repair() == nil)
    }

    @Test("Every byte of a key that is flipped is noticed, and the passphrase opens the record all the same")
    func keys() throws {
        let text = Array(try key.text.utf8)
        for position in text.indices {
            var bytes = text
            bytes[position] ^= 1
            #expect(try VaultKey(text: String(decoding: bytes, as: UTF8.self)) == nil, "byte \(position)")
        }
        let home = try homes.make()
        try home.fill().setRecoveryPassphrase("correct horse")
        try home.write(Array("till-vault-key-1 what".utf8), "app.key")
        let record = try home.bytes()
        #expect(code { _ = try home.open() } == .keyMissing)
        #expect(try home.bytes() == record)
        #expect(try home.open(passphrase: "correct horse").contents.unlocks.count == 3)
    }

    @Test("A text is kept, and so is an entry of a kind that only a later version knows") func later() throws {
        var later = contents
        // The second one says that its name goes beyond its end.
        later.others = [[200, 1, 2, 3], [5, 0, 9, 65, 66]]
        try later.keep("Größe", as: "fulfilment 7")
        try later.keep("", as: "fulfilment 8")
        let header = VaultRecord.headers(in: record)[0]
        let bytes = try VaultRecord.bytes(header, later, key: AESGCM(key: key.bytes))
        let read = try #require(try VaultRecord.read(bytes, key: key))
        #expect(read.contents == later && read.contents.lostEntries == 0)
        #expect(throws: VaultError.self) {
            try later.keep(String(repeating: "x", count: VaultLimits.textBytes + 1), as: "a")
        }
    }
}
