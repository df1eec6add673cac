/// The text as SQL: in single quotes, with those inside doubled. For where there are no parameters,
/// or the text is always the same.
package func quotedText(_ text: String) -> String {
  var quoted = "'"
  for scalar in text.unicodeScalars {
    quoted.unicodeScalars.append(scalar)
    if scalar == "'" { quoted.unicodeScalars.append(scalar) }
  }
  return quoted + "'"
}
