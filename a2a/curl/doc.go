// Package curl writes recorded requests as command lines that other users can run.
//
// [Command] returns a line for a POSIX shell and curl that sends the same method, URL, headers
// and body, byte for byte. It contains no secrets: masked values of the record become
// environment variables. It also contains nothing that a terminal could take for a command when
// the line is pasted: unprintable bytes are written in octal.
package curl
