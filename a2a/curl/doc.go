// Package curl writes recorded requests as command lines that other people can run.
//
// [Command] returns a line for a POSIX shell and curl that sends the same method, URL,
// headers and body, byte for byte. It holds no secrets: what was masked in the record
// stands in it as an environment variable. It holds nothing either that a terminal could
// take for a command when the line is pasted: what cannot be printed is written in octal.
package curl
