package ui

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/control/jsonsheet"
	"parley/ui/control/records"
	"parley/ui/terminal"
)

// messageTypes returns the exported message types of the packages below ui, as package.Type.
func messageTypes(t *testing.T) (types []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == "." {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() && strings.HasSuffix(spec.Name.Name, "Msg") {
				types = append(types, file.Name.Name+"."+spec.Name.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return types
}

func TestEveryMessageTypeReachesWhoTakesIt(t *testing.T) {
	t.Parallel()
	outside := func(name string) func(d *desk) bool {
		return func(d *desk) bool { return slices.Contains(d.outside, name) }
	}
	says := func(words string) func(d *desk) bool {
		return func(d *desk) bool { return strings.Contains(d.model.notices.shown.text, words) }
	}
	var done []string
	var at control.Place
	nothing := func(*desk) {}
	answered := func(d *desk) { d.send(tea.CursorPositionMsg{X: 1, Y: 1}) } // the terminal, what it was asked at the start
	taken := map[string]bool{}
	for _, c := range []struct {
		name  string
		play  func(d *desk)
		msg   func() tea.Msg
		taken func(d *desk) bool
	}{
		{
			"the result of work", nothing,
			func() tea.Msg {
				return control.DoneMsg(func() tea.Cmd {
					done = append(done, "called")
					return func() tea.Msg {
						return control.DoneMsg(func() tea.Cmd { done = append(done, "its command too"); return nil })
					}
				})
			},
			func(*desk) bool { return slices.Equal(done, []string{"called", "its command too"}) },
		},
		{
			"an edited message", func(d *desk) { d.book(asksWhere); at = d.model.cur },
			func() tea.Msg { return control.EditedMsg{Text: "edited", At: at} },
			func(d *desk) bool { return d.model.panes.composer.Value() == "edited" },
		},
		{
			"an edited request", func(d *desk) { d.byHand(); d.press("tab", "tab", "e") },
			func() tea.Msg { return control.EditedMsg{Text: "GET http://edited.example/", Request: true} },
			func(d *desk) bool {
				return d.model.screen.over == records.RequestSheet && strings.Contains(d.text(), "edited.example")
			},
		},
		{
			"edited JSON", func(d *desk) { d.book(allFound); d.write("/data"); d.press("enter") },
			func() tea.Msg { return control.EditedMsg{Text: `{"edited": 1}`, JSON: true} },
			func(d *desk) bool {
				return d.model.screen.over == jsonsheet.SheetName && strings.Contains(d.text(), `"edited": 1`)
			},
		},
		{
			"an editor that failed", nothing,
			func() tea.Msg { return control.EditedMsg{Err: errors.New("no editor")} }, says("The editor failed"),
		},
		{"the first frame", nothing, func() tea.Msg { return terminal.FirstFrameMsg{} }, outside("tea.clearScreenMsg")},
		{
			"the end of a probe", func(d *desk) { d.send(terminal.FirstFrameMsg{}); d.press("ctrl+z") },
			func() tea.Msg { return terminal.ProbeOverMsg{} }, outside("tea.SuspendMsg"),
		},
		{
			"a signal to end", answered,
			func() tea.Msg { return terminal.EndMsg{} }, outside("tea.QuitMsg"),
		},
		{"a request to suspend", answered, func() tea.Msg { return terminal.SuspendMsg{} }, outside("tea.SuspendMsg")},
		{"a continuation", answered, func() tea.Msg { return terminal.ContinueMsg{} }, outside("tea.execMsg")},
		{"no shell", nothing, func() tea.Msg { return terminal.NoShellMsg{} }, says("there is no shell to return to")},
		{
			"another size", func(d *desk) { d.model.pace.out = &fakeDisplay{behind: true} },
			func() tea.Msg { return terminal.ResizedMsg{} }, func(d *desk) bool { return d.model.screen.resized },
		},
	} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			c.play(d)
			if c.taken(d) {
				t.Errorf("%s: got its effect before the message", c.name)
			}
			msg := c.msg()
			taken[fmt.Sprintf("%T", msg)] = true
			d.send(msg)
			if !c.taken(d) {
				t.Errorf("%s: %T had no effect: notice %q, messages %q", c.name, msg, d.model.notices.shown.text, d.outside)
			}
		})
	}
	for _, name := range messageTypes(t) {
		if !taken[name] {
			t.Errorf("no case sends %s to the model", name)
		}
	}
}
