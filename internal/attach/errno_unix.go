//go:build unix

package attach

import "syscall"

// errNotDir is what a path gives that goes on behind a file.
const errNotDir = syscall.ENOTDIR
