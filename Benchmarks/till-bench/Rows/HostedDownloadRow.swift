import Foundation
import StoreDatabase
import StoreModel
import StoreService

/// Hosted content of 100 MB on its way to devices, each with an address of its own that is looked at with each request, against
/// nginx with the same file.
struct HostedDownloadRow: BenchmarkRow {
    static let all = [
        HostedDownloadRow(
            name: "content-1", summary: "Hosted content of 100 MB goes to one device; bytes per second.", devices: 1),
        HostedDownloadRow(name: "content-64", summary: "The same to 64 devices at once.", devices: 64),
    ]

    let name: String
    let summary: String
    let reference = "nginx, sendfile"
    let devices: Int

    private static let transaction = StoreFiller.firstTransaction + 1

    func prepare() throws -> Contest {
        let (files, store) = (try ServerFiles(), try StoreFolder(customers: StoreFolder.clients))
        let file = try files.makeFile()
        let blobs = try FolderBlobStore(folder: store.path + "/blobs")
        let draft = try blobs.begin()
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
        try draft.append(bytes)
        let blob = try draft.keep()
        try store.open { databases in try await Self.host(blob, Int64(bytes.count), in: databases) }
        let server = try ServerProcess(store)
        let answer = try ChildProcess.output(
            of: "curl",
            [
                "--silent", "--fail", "--json", "{}", "--header",
                "Authorization: Bearer \(StoreFolder.token(of: 1))",
                "http://127.0.0.1:\(server.port)/device/v1/transactions/\(Self.transaction)/content",
            ])
        guard let path = answer.firstMatch(of: /"path":"([^"]+)"/)?.1.replacing("\\/", with: "/") else {
            throw BenchmarkError("the store gives no address of the content:\n\(answer)")
        }
        return Contest(
            ours: WrkContestant(server, String(path), clients: devices, figure: .bytes),
            reference: WrkContestant(
                try ServerProcess(nginxIn: files), "/file", clients: devices, figure: .bytes))
    }

    /// Makes a blob the content of what the first transaction bought.
    private static func host(_ blob: BlobID, _ bytes: Int64, in databases: StoreDatabases) async throws {
        let item = try await databases.sandbox.read { transaction in
            try transaction.value(
                "SELECT item_id FROM store_transaction WHERE id = $1", Self.transaction, as: Int64.self)
        }
        try await databases.catalogue.write { transaction in
            _ = try transaction.execute(
                """
                INSERT INTO content_version (item_id, number, version, state, package_digest, package_bytes, part_bytes,
                    uploaded_by, begun_at, touched_at, archive, archive_bytes, unpacked_bytes, file_count, chunk_bytes,
                    chunk_digests)
                VALUES ($1, 1, '1.0', 'approved', $2, $3, 8388608, 'bench', 0, 0, $2, $3, $3, 1, 1048576, $4)
                """, item, blob, bytes, [UInt8](repeating: 0, count: 32))
        }
    }
}
