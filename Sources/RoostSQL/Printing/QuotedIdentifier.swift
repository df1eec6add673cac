/// The name as SQL: in double quotes, with those inside doubled. The one place where names become SQL.
package func quotedIdentifier(_ name: String) -> String {
  guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
  var quoted = "\""
  for scalar in name.unicodeScalars {
    quoted.unicodeScalars.append(scalar)
    if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
  }
  return quoted + "\""
}
