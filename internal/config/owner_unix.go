//go:build unix

package config

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign reports whether a file belongs to neither the user nor root, who may change
// every file anyway.
func foreign(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || stat.Uid != 0 && int(stat.Uid) != os.Geteuid()
}
