//go:build !unix

package config

import "io/fs"

// foreign is false on systems where files have no owner.
func foreign(fs.FileInfo) bool { return false }
