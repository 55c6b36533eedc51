//go:build unix

package attach

import "syscall"

// errNotDir is the error for a path that continues after a file.
const errNotDir = syscall.ENOTDIR
