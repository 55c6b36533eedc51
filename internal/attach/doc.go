// Package attach makes message parts of what a user names: files of this machine, and addresses
// from which an agent downloads them.
//
// [Look] describes a file without reading it, [Read] reads it; both refuse what would never
// end, such as a pipe. [Paths] understands what terminals paste when a file is dropped on them.
// All errors are sentences.
package attach
