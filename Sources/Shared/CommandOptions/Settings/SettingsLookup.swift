/// Finds the settings file of a command line: it is handed what command line, environment and defaults say, and answers
/// the file to read the rest from, or nil where there is none.
package typealias SettingsLookup = (ParsedArguments) throws -> SettingsFile?
