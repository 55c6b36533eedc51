// Package attach makes parts of messages out of what a user names: files of this
// machine, and addresses that an agent fetches by itself.
//
// [Look] says what a file is without reading it, [Read] reads it; both refuse what would
// never end, such as a pipe. [Paths] understands what terminals paste when a file is
// dropped on them. All errors are sentences.
package attach
