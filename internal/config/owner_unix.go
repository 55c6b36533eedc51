//go:build unix

package config

import (
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// foreign reports whether a file belongs to neither the user nor root, who may change
// every file anyway.
func foreign(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || stat.Uid != 0 && int(stat.Uid) != os.Geteuid()
}

// sharedWith reports whether everybody may write a file, or its group may and is not the user's own.
func sharedWith(info fs.FileInfo) bool {
	const group, everybody = 0o020, 0o002
	mode := info.Mode().Perm()
	return mode&everybody != 0 || mode&group != 0 && !isOwnGroup(info)
}

// isOwnGroup reports whether the group of a file is the user's first one and has the user's name. Many
// systems give each user such a group, with nobody else in it, and let new files be written by it.
func isOwnGroup(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	gid := strconv.FormatUint(uint64(stat.Gid), 10)
	u, err := user.LookupId(strconv.Itoa(os.Geteuid()))
	if err != nil || u.Gid != gid {
		return false
	}
	g, err := user.LookupGroupId(gid)
	return err == nil && g.Name == u.Username
}
