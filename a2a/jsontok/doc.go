// Package jsontok indexes one JSON body without decoding it.
//
// [Doc.Parse] makes one strict pass over the bytes (RFC 8259) and builds a flat list of tokens,
// twenty bytes each, that point into them. Everything else is a lookup in that list: a [Node]
// is a cheap value that reads members, text and numbers on demand and returns a zero value for
// anything absent, so that a decoder can probe a body of unknown shape in one line per member.
// A Doc is meant to be reused; a Parse into a Doc that has parsed a body of that size allocates
// nothing.
//
// The package differs from encoding/json where a tool that shows the wire must:
//
//   - A body that breaks in the middle stays readable up to the break: its open
//     containers are closed there and marked [Token.Torn].
//   - A [SyntaxError] names what was found, because typical mistakes of agents
//     are comments, NaN and trailing commas.
//   - Offsets, duplicate names, unpaired surrogates and invalid UTF-8 are kept,
//     so that a finding can point at the byte.
//   - A byte order mark before the value and NULs after it are tolerated, and
//     the text after the first value is available from [Doc.Tail].
//
// Parsing is iterative and stops with an error below 10,000 levels, the limit of encoding/json.
// Offsets always count from the start of the bytes that were given to Parse, including the byte
// order mark.
package jsontok
