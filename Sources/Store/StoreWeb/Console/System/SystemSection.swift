import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// The store as a program that runs: whether it is well, its keys, its backlog, its backups and its settings.
struct SystemSection: ConsoleSection {
    let services: ConsoleServices

    static let path = "/system"
    private static let backup = PathParameter<String>("backup", rule: "the name of a backup") { $0.isEmpty ? nil : $0 }

    var routes: [Route] {
        guard let system = services.system else { return [] }
        return [
            page(Self.path, for: .teams, .here) { try await SystemPage(visit: $0, system: system).response() },
            form("\(Self.path)/keys/rotation", for: .teams, .here) { visit, input in
                let text = input["purpose"]
                let purpose = ChainPurpose(rawValue: text)
                guard text.isEmpty || purpose != nil else {
                    throw ServiceError(.valueInvalid, "the purpose is jws or receipt", parameter: "purpose")
                }
                _ = try await system.keys.rotate(
                    visit.environment, purpose, by: visit.actor, request: visit.request.id)
                return visit.link(Self.path, done: .rotated)
            } else: {
                try await SystemPage(visit: $0, system: system).response()
            },
            page("\(Self.path)/self-test", for: .teams, .here) {
                try await SelfTestPage(visit: $0).response(nil)
            },
            shown("\(Self.path)/self-test", for: .teams, .here) { visit, _ in
                let report = try await system.selfTest.run(in: visit.store, by: visit.actor)
                return try await SelfTestPage(visit: visit).response(report)
            } else: {
                try await SelfTestPage(visit: $0).response(nil)
            },
            page("\(Self.path)/settings", for: .teams, .production) {
                try await SettingsPage(visit: $0, system: system).response()
            },
        ] + backupRoutes(system) + snapshotRoutes(system)
    }

    private func snapshotRoutes(_ system: StoreSystem) -> [Route] {
        guard let shelf = system.snapshots else { return [] }
        let list: Answer = { try await SnapshotPage(visit: $0, shelf: shelf).response() }
        return [
            page(SnapshotPage.path, for: .teams, .here, list),
            form(SnapshotPage.path, for: .teams, .here) { visit, input in
                try visit.store.requireSandbox("production has no snapshots: only the sandbox can go back")
                _ = try await shelf.save(input["name"], forRequestAt: visit.now)
                return visit.link(SnapshotPage.path, done: .kept)
            } else: {
                try await list($0)
            },
        ]
    }

    private func backupRoutes(_ system: StoreSystem) -> [Route] {
        let list: Answer = { try await BackupPage(visit: $0, shelf: system.backups).list() }
        let show: Answer = { visit in
            try await BackupPage(visit: visit, shelf: system.backups).show(visit.request[Self.backup])
        }
        return [
            page("\(Self.path)/backups", for: .teams, .production, list),
            form("\(Self.path)/backups", for: .teams, .production) { visit, input in
                _ = try await system.backups.make(withKeys: input["keys"] == "on", by: visit.actor)
                return visit.link("\(Self.path)/backups", done: .begun)
            } else: {
                try await list($0)
            },
            page("\(Self.path)/backups/{backup}", for: .teams, .production, show),
            form("\(Self.path)/backups/{backup}/verification", for: .teams, .production) { visit, _ in
                let name = try visit.request[Self.backup]
                _ = try await system.backups.look(into: name, by: visit.actor)
                return visit.link("\(Self.path)/backups/\(PercentEncoding.encode(name))", done: .begun)
            } else: {
                try await show($0)
            },
        ]
    }
}
