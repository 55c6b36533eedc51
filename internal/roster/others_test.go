package roster

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"parley/internal/config"
)

// A list that others may change is not used, because an agent in it can name a program; the next change puts
// it aside.
func TestAListThatOthersMayWriteIsNotUsed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system does not tell who may write a file")
	}
	f := file(t)
	update(t, f, Save(config.Agent{Name: "Desk", Ref: "http://desk", BearerCommand: []string{"sh"}}))
	if err := os.Chmod(f.Path(), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := Open(f.Path()).Load()
	if err != nil || len(c.Agents) != 0 || len(c.Mistakes) != 1 || !strings.Contains(c.Mistakes[0], f.Path()+" is the list of saved agents and others can write it: run chmod go-w on it") {
		t.Errorf("got %+v, %v, want no agents and the reason", c, err)
	}
	c = update(t, Open(f.Path()), Save(config.Agent{Name: "Clerk", Ref: "http://clerk"}))
	if info, err := os.Stat(f.Path()); err != nil || info.Mode().Perm() != 0o600 || len(c.Agents) != 1 {
		t.Errorf("got %+v in %v, %v, want a file of the user alone", c.Agents, info, err)
	}
	if _, err := os.Stat(f.Path() + ".broken-1"); err != nil {
		t.Errorf("got %v, want the file put aside", err)
	}
}
