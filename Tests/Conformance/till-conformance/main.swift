import Foundation

// One request per line, one answer per line, in the same order. State lives as long as the process: authorities and
// verifiers are named by the handle that made them, so that a caller can also exercise what a verifier remembers.
let operations = Operation.all
let session = Session()

while let line = readLine() {
    let answer = Operation.answer(to: Data(line.utf8), from: operations, in: session)
    FileHandle.standardOutput.write(answer + [UInt8(ascii: "\n")])
}
