import StoreModel
import StoreSigning

/// Are the keys there, readable, and good for a while?
struct KeysCheck {
    let keys: KeyStore
    let passphrase: [UInt8]?
    let now: Instant

    func findings() -> [Finding] { StoreEnvironment.allCases.flatMap(findings) }

    private func findings(_ environment: StoreEnvironment) -> [Finding] {
        let part = "\(environment.rawValue) keys"
        do {
            let report = try KeysReport(keys, environment)
            if report.protected && passphrase == nil {
                return [.ok(part, "they are there, under a passphrase that was not tried")] + ends(report, part)
            }
            _ = try keys.load(environment, passphrase: passphrase)
            let ends = ends(report, part)
            return ends.isEmpty ? [.ok(part, "they are there and in order")] : ends
        } catch let error as SigningError where error.code == .keyStoreMissing {
            return [.problem(part, error.message, remedy: "make them with: till keys init")]
        } catch let error as SigningError where error.code == .wrongPassphrase {
            return [
                .problem(part, error.message, remedy: "name the right file with --passphrase-file")
            ]
        } catch {
            return [
                .problem(
                    part, "\((error as? SigningError)?.message ?? "\(error)")",
                    remedy: "put the folder keys back from a backup; new keys would not verify what was sold")
            ]
        }
    }

    private func ends(_ report: KeysReport, _ part: String) -> [Finding] {
        report.ends(at: now).map { end in
            let name = "the \(end.certificate.purpose.rawValue) \(end.certificate.role.rawValue)"
            return end.isOver
                ? .problem(part, "\(name) ended on \(end.day)", remedy: end.remedy)
                : .warning(part, "\(name) ends on \(end.day)", remedy: end.remedy)
        }
    }
}
