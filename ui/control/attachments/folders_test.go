package attachments

import (
	"os"
	"path/filepath"
	"testing"

	"parley/session/model"
	"parley/themes"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/styles"
)

func TestFoldersAreReadOnceAndForgottenAfterTheCommand(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "map.png"), []byte("\x89PNG\r\n\x1a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	st := styles.New(themes.Dark(), styles.Unicode())
	message := composer.New(st)
	c := New(controltest.NewHost(model.NewState()), st, Options{Composer: message, Dir: dir})
	message.SetCommands(func() []composer.Command {
		return []composer.Command{{Word: attachWord, Offers: c.offerPaths}}
	})
	message.SetValue("/attach ma")
	read := c.Refresh()
	if read == nil {
		t.Fatal("got no command, want one that reads the folder")
	}
	if c.Refresh() != nil {
		t.Error("got a command that reads the folder again while it is being read, want none")
	}
	done, ok := read().(control.DoneMsg)
	if !ok {
		t.Fatal("got another message of the command, want a DoneMsg")
	}
	done()
	if offers := c.offerPaths("ma"); len(offers) != 1 || offers[0].Text != "map.png" {
		t.Errorf("got offers %v, want map.png", offers)
	}
	if c.Refresh() != nil || c.folders.read == nil {
		t.Error("Refresh forgot or reread the folder while the path is being written")
	}
	message.SetValue("")
	if c.Refresh(); c.folders.read != nil {
		t.Errorf("got %d folders after the command, want none", len(c.folders.read))
	}
}
