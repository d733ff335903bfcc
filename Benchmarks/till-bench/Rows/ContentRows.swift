import ContentPackage
import Foundation

/// Content of 200 MB becomes a package, and a package is held against the rules. Both sides work on the same files by the wall:
/// what they do is mostly that of zlib and of digests, on one thread.
struct ContentPackRow: BenchmarkRow {
    let name = "content-pack"
    let summary = "A folder of 200 MB is checked and packed, durable: an operation is a megabyte."
    let reference = "bsdtar --format=xar"

    func prepare() throws -> Contest {
        let content = try ContentSample()
        return Contest(
            ours: MegabyteContestant(ContentSample.megabytes) {
                try PackageWriter().write(content.project, to: content.folder.path + "/ours.pkg")
            },
            reference: MegabyteContestant(ContentSample.megabytes) {
                _ = try ChildProcess.output(
                    of: "bsdtar",
                    [
                        "--format=xar", "-cf", content.folder.path + "/theirs.pkg", "-C", content.project,
                        "ContentInfo.plist", "Contents",
                    ])
            })
    }
}

struct ContentValidateRow: BenchmarkRow {
    let name = "content-validate"
    let summary =
        "A package of 200 MB is read, decompressed and held against every rule: an operation is a megabyte of it."
    let reference = "sha256sum"

    func prepare() throws -> Contest {
        let content = try ContentSample()
        let package = content.folder.path + "/ours.pkg"
        try PackageWriter().write(content.project, to: package)
        return Contest(
            ours: MegabyteContestant(ContentSample.megabytes) {
                // The folder goes with the sample.
                let package = content.folder.path + "/ours.pkg"
                guard try ContentValidation.ofPackage(package).isValid else { throw BenchmarkError("it is not valid") }
            },
            reference: MegabyteContestant(ContentSample.megabytes) {
                _ = try ChildProcess.output(of: "sha256sum", ["-b", package])
            })
    }
}

/// Half of the bytes are text, and half are what is compressed already, as in the pictures and films that content mostly is.
private final class ContentSample {
    static let megabytes = 200
    private static let filesPerKind = 10

    let folder: TemporaryFolder
    let project: String

    init() throws {
        folder = try TemporaryFolder()
        project = folder.path + "/project"
        let files = FileManager.default
        try files.createDirectory(atPath: project + "/Contents", withIntermediateDirectories: true)
        let info = """
            <plist version="1.0"><dict><key>ContentVersion</key><string>1.0</string>
            <key>IAPProductIdentifier</key><string>com.example.bench</string></dict></plist>
            """
        try Data(info.utf8).write(to: URL(fileURLWithPath: project + "/ContentInfo.plist"))
        let bytes = Self.megabytes * 1_000_000 / (2 * Self.filesPerKind)
        for number in 0..<Self.filesPerKind {
            let place = URL(fileURLWithPath: project + "/Contents/\(number)")
            try Self.text(bytes, from: number).write(to: place.appendingPathExtension("txt"))
            try Self.noise(bytes, from: number).write(to: place.appendingPathExtension("bin"))
        }
    }

    private static func text(_ count: Int, from number: Int) -> Data {
        var text = Data(capacity: count + 100)
        var line = number * 1_000_000
        while text.count < count {
            line += 1
            text += Data(
                "\(line) There is no frigate like a book to take us lands away, \(line &* 2_654_435_761 % 99_991)\n"
                    .utf8)
        }
        return text.prefix(count)
    }

    private static func noise(_ count: Int, from number: Int) -> Data {
        var state = UInt64(number) &+ 0x9E37_79B9_7F4A_7C15
        var noise = Data(capacity: count + 8)
        while noise.count < count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            withUnsafeBytes(of: state) { noise.append(contentsOf: $0) }
        }
        return noise.prefix(count)
    }
}

/// Does a piece of work that is so many megabytes, again and again, by the wall.
private final class MegabyteContestant: Contestant {
    private let megabytes: Int
    private let work: () throws -> Void

    init(_ megabytes: Int, _ work: @escaping () throws -> Void) {
        (self.megabytes, self.work) = (megabytes, work)
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        var (count, elapsed) = (0, 0.0)
        repeat {
            try work()
            count += megabytes
            elapsed = (clock.now - start) / .seconds(1)
        } while elapsed < seconds
        return Rate(operations: count, seconds: elapsed)
    }
}
