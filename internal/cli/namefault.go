package cli

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
)

// misnamed is the failure of a command line that names a file, a session or another thing which
// cannot be used: there is none, there is one already, or it is something else. The sentence names
// it and says what to do.
func misnamed(format string, args ...any) *fault {
	f := usage(format, args...)
	f.hint = ""
	return f
}

// notOpened says that what the user named cannot be opened as a session.
func notOpened(path string, err error) error {
	const list = "parley sessions lists the recorded sessions"
	switch {
	case errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(path, `/\`):
		return misnamed("There is no file and no session %q: parley sessions lists the sessions.", line(path))
	case errors.Is(err, fs.ErrNotExist):
		return misnamed("There is no file %s: check its name and the folder; "+list+".", line(path))
	}
	why := fileCause(err)
	if !strings.Contains(why, "; ") { // it does not say what to do
		why += "; " + list
	}
	return misnamed("%s cannot be opened: %s.", line(path), why)
}

// notRead says that a file cannot be read which the user named, and what to do instead.
func notRead(path string, err error, instead string) *fault {
	if errors.Is(err, fs.ErrNotExist) {
		return misnamed("There is no file %s: check its name and the folder; %s.", line(path), instead)
	}
	return misnamed("%s cannot be read: %s; %s.", line(path), fileCause(err), instead)
}

// unwritten says that the file of a flag cannot be written.
func unwritten(flag, path string, err error) *fault {
	why := fileCause(err)
	if errors.Is(err, fs.ErrNotExist) {
		why = "its folder does not exist"
	}
	return misnamed("The file %s of --%s cannot be written: %s; choose another one.", line(path), flag, why)
}

// fileCause says in a clause what is wrong with a file.
func fileCause(err error) string {
	switch {
	case errors.Is(err, syscall.EISDIR):
		return "it is a folder"
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of its path is no folder"
	case errors.Is(err, fs.ErrPermission):
		return "there is no permission"
	case errors.Is(err, syscall.ELOOP):
		return "it is a link that leads nowhere"
	}
	return strings.TrimSuffix(line(causeOf(err)), ".")
}
