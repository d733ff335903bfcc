import Foundation

/// What was committed once is fetched by everybody for ever.
struct LargeFiles: RepositoryRule {
    let sentence = "No file, now or in history, is larger than a megabyte"

    var limit = 1 << 20

    func violations(in repository: Repository) -> [Violation] {
        let present = repository.files.filter { $0.size > limit }.map { Violation($0, "\($0.size) bytes") }
        return present + committed(in: repository)
    }

    private func committed(in repository: Repository) -> [Violation] {
        // A copy of the sources without their history has nothing to look through.
        guard let root = repository.root, FileManager.default.fileExists(atPath: root.appending(path: ".git").path)
        else { return [] }
        do {
            let objects = try Git(root: root).objects()
            return objects.filter { $0.kind == "blob" && $0.size > limit }.map { object in
                Violation(path: object.path, "\(object.size) bytes in the commit history")
            }
        } catch {
            return [Violation(path: ".git", "the history cannot be read: \(error)")]
        }
    }
}
