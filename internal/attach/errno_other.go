//go:build !unix

package attach

import "io/fs"

// errNotDir is what a path gives that goes on behind a file.
var errNotDir = fs.ErrNotExist
