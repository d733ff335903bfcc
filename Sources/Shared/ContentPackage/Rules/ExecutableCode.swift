/// Recognises programs by how they begin.
enum ExecutableCode {
    /// How many bytes have to be looked at.
    static let bytesNeeded = 8

    private static let beginnings: [(bytes: [UInt8], name: String)] = [
        ([0x7F, 0x45, 0x4C, 0x46], "an ELF program or library"),
        ([0xFE, 0xED, 0xFA, 0xCE], "a Mach-O program or library"),
        ([0xFE, 0xED, 0xFA, 0xCF], "a Mach-O program or library"),
        ([0xCE, 0xFA, 0xED, 0xFE], "a Mach-O program or library"),
        ([0xCF, 0xFA, 0xED, 0xFE], "a Mach-O program or library"),
        // The same four bytes begin a class of Java, which is a program too.
        ([0xCA, 0xFE, 0xBA, 0xBE], "a Mach-O program for several processors"),
        ([0xBE, 0xBA, 0xFE, 0xCA], "a Mach-O program for several processors"),
        ([0xCA, 0xFE, 0xBA, 0xBF], "a Mach-O program for several processors"),
        ([0xBF, 0xBA, 0xFE, 0xCA], "a Mach-O program for several processors"),
        (Array("MZ".utf8), "a program for Windows or DOS"),
        (Array("#!".utf8), "a script"),
        ([0xEF, 0xBB, 0xBF] + Array("#!".utf8), "a script"),
        (Array("!<arch>\n".utf8), "a library of object files"),
        ([0x00] + Array("asm".utf8), "a WebAssembly module"),
        (Array("dex\n".utf8), "a program for Android"),
        ([0x42, 0x43, 0xC0, 0xDE], "LLVM bitcode"),
    ]

    /// What kind of program begins with these bytes; nil if they are none.
    static func name(of bytes: some Collection<UInt8>) -> String? {
        beginnings.first { bytes.starts(with: $0.bytes) }?.name
    }
}
