import Foundation
import StoreKit
import StoreModel

/// An app as a process of its own: it begins a session, is told what waits for it, and stays.
///
/// `till-bench launch-app FOLDER` prints how many transactions it was told of, stays until its input ends, and is not meant
/// for people.
enum AppProgram {
    static let word = "launch-app"

    static func profile(in folder: String) -> String { folder + "/bench.tillprofile" }

    static func run(_ arguments: some Sequence<String>) -> Never {
        do {
            guard let folder = Array(arguments).first else { throw BenchmarkError("a folder is missing") }
            let text = try String(contentsOfFile: profile(in: folder), encoding: .utf8)
            let session = try BenchDevice.begin(
                SessionProfile(text, bundle: nil), in: folder,
                StoreAddress(parsing: "http://127.0.0.1:\(BenchDevice.nowhere)"))
            print(Launches.attach(session))
            fflush(nil)
            while readLine() != nil {}
            withExtendedLifetime(session) {}
        } catch {
            StandardError.print("till-bench \(word): \(error)")
            exit(1)
        }
        exit(0)
    }
}
