//go:build !unix

package config

import "io/fs"

// foreign is false on systems where files have no owner.
func foreign(fs.FileInfo) bool { return false }

// sharedWith is false on systems whose permissions do not say who may write a file.
func sharedWith(fs.FileInfo) bool { return false }
