//go:build !unix

package attach

import "io/fs"

// errNotDir is the error for a path that continues after a file.
var errNotDir = fs.ErrNotExist
