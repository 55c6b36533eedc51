//go:build unix

package config

import (
	"os"
	"os/user"
	"testing"
)

// A file that the group of the user alone may write, as many systems make new files, is the user's.
func TestTheGroupOfTheUserAloneMayWrite(t *testing.T) {
	path := write(t, t.TempDir(), "config.toml", "bearer-command = [\"sh\"]\n")
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	g, err := user.LookupGroupId(u.Gid)
	if err != nil {
		t.Fatal(err)
	}
	for mode, group := range map[os.FileMode]bool{0o600: true, 0o644: true, 0o660: g.Name == u.Username, 0o664: g.Name == u.Username, 0o602: false, 0o666: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if why := OthersMayWrite(path, info); (why == "") != group {
			t.Errorf("mode %o, group %s of %s: got %q, want it used: %v", mode, g.Name, u.Username, why, group)
		}
	}
}
