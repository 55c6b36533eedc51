// Package causes tests that Parley's first sentence about a broken agent names the cause and its place.
//
// Each agent of the tests is wrong as one in a public bug report was. A test runs the command that its user would
// run, and reads the line that complains: its first sentence has to name what is wrong and where, and nothing may
// advise what starts work twice. Where an agent is odd but right, nothing may complain.
package causes
