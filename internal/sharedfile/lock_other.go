//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package sharedfile

import "os"

// tryLock has no lock here: of two runs that write at the same moment, the later one wins.
func tryLock(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) }

// unlock does nothing: closing the file is enough.
func unlock(*os.File) {}

// Hold does nothing here.
func Hold(*os.File) error { return nil }

// Held is unknown here.
func Held(string) bool { return false }

// RemoveUnheld removes a file.
func RemoveUnheld(path string) error { return os.Remove(path) }
