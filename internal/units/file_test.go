package units

import (
	"errors"
	"io/fs"
	"testing"
)

func TestPathHasATildeForTheHomeDirectory(t *testing.T) {
	for _, c := range []struct{ path, home, want string }{
		{"/home/ann", "/home/ann", "~"},
		{"/home/ann/files", "/home/ann", "~/files"},
		{"/home/anna/files", "/home/ann", "/home/anna/files"},
		{"/srv", "/home/ann", "/srv"},
		{"/srv", "", "/srv"},
		{"/srv", "/", "/srv"},
	} {
		if got := Path(c.path, c.home); got != c.want {
			t.Errorf("Path(%q, %q) = %q, want %q", c.path, c.home, got, c.want)
		}
	}
}

func TestFileErrorNamesTheCause(t *testing.T) {
	for err, want := range map[error]string{
		&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission}: "there is no permission to write to it",
		fs.ErrExist: "there are too many files of that name",
		&fs.PathError{Op: "open", Path: "/x", Err: errors.New("no space on device")}: "no space on device",
		errors.New("a bad day"): "a bad day",
	} {
		if got := FileError(err); got != want {
			t.Errorf("FileError(%v) = %q, want %q", err, got, want)
		}
	}
}
