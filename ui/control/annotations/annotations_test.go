package annotations_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/annotation"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/control/annotations"
	"parley/ui/control/controltest"
)

// A pane is a wire pane without rows.
type pane struct {
	content *annotation.Content
	tell    func(a2a.RecordID, bool)
}

func (p *pane) SetRemarks(c *annotation.Content)     { p.content = c }
func (p *pane) OnMark(tell func(a2a.RecordID, bool)) { p.tell = tell }
func (p *pane) comment(c *annotations.Controller, host *controltest.Host) tea.Cmd {
	c.Ask(7)
	return host.Asked[len(host.Asked)-1].With("why?")
}

func do(cmd tea.Cmd) {
	for cmd != nil {
		done, ok := cmd().(control.DoneMsg)
		if !ok {
			return
		}
		cmd = done()
	}
}

func TestMarksAndCommentsAreSavedInOrderAndReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	host, p := controltest.NewHost(model.NewState()), &pane{}
	c := annotations.New(host, annotation.Open(path), p)
	do(c.Load())
	p.tell(3, true)
	p.tell(5, true)
	saving := c.Save()
	p.tell(3, false)
	if c.Save() != nil {
		t.Error("got a second save at a time, want one after the other")
	}
	do(saving)
	do(c.Save())
	do(p.comment(c, host))
	if !slices.Equal(p.content.Marks(), []a2a.RecordID{5}) || p.content.Remarks[7].Comment != "why?" || c.Save() != nil {
		t.Errorf("got %+v, want a mark on 5 and a comment on 7", p.content)
	}
	again := &pane{}
	do(annotations.New(host, annotation.Open(path), again).Load())
	if !slices.Equal(again.content.Marks(), []a2a.RecordID{5}) || again.content.Remarks[7].Comment != "why?" {
		t.Errorf("got %+v in the next run, want the same", again.content)
	}
}

func TestWhatCannotBeSavedIsSaidAndStays(t *testing.T) {
	for name, prepare := range map[string]func(path string) error{
		"no folder": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"newer Parley": func(path string) error {
			return os.WriteFile(annotation.Path(path), []byte(`{"parley":"annotations","version":2}`), 0o600)
		},
	} {
		path := filepath.Join(t.TempDir(), "dir", "s.jsonl")
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		host, p := controltest.NewHost(model.NewState()), &pane{}
		c := annotations.New(host, annotation.Open(path), p)
		do(c.Load())
		before := p.content
		if err := prepare(path); err != nil {
			t.Fatal(err)
		}
		p.tell(3, true)
		do(c.Save())
		if got := host.LastNotice(); !got.Bad || !strings.HasPrefix(got.Text, "The mark or comment is not saved: ") || p.content != before {
			t.Errorf("%s: got notice %+v, want the reason and the marks on the screen unchanged", name, got)
		}
	}
}
