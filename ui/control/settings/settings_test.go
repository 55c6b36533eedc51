package settings_test

import (
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session/model"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/control/settings"
)

// edited is what an editor makes of config.toml; nil is no file.
type edited struct {
	before, after []byte
	err           error
	wrong         []string
}

func TestTheEditorOpensTheFileAndWhatIsWrongIsSaid(t *testing.T) {
	none := []byte(nil)
	for name, c := range map[string]struct {
		edited
		want string
		bad  bool
	}{
		"saved":      {edited{none, []byte("theme = \"dark\"\n"), nil, nil}, "~/c.toml is saved; Parley reads it at its next start.", false},
		"not saved":  {edited{none, none, nil, nil}, "~/c.toml was not saved: there is none.", false},
		"unchanged":  {edited{[]byte("a"), []byte("a"), nil, nil}, "", false},
		"wrong":      {edited{none, []byte("x"), nil, []string{"Line 1 is no setting."}}, "Line 1 is no setting.", true},
		"very wrong": {edited{none, []byte("x"), nil, []string{"Line 1 is no setting.", "b", "c"}}, "Line 1 is no setting. parley config says 2 more.", true},
		"no editor":  {edited{none, none, errors.New("exec"), nil}, "The editor failed. Check $EDITOR.", true},
	} {
		host, opened := controltest.NewHost(model.NewState()), ""
		source := settings.Source{List: []settings.Setting{{Name: "theme", Value: "dark", Source: "flag"}}, File: "/home/me/c.toml", Home: "/home/me", Check: func() []string { return c.wrong }}
		s := settings.New(host, source, func(path string, done func(before, after []byte, err error) tea.Msg) tea.Cmd {
			opened = path
			return func() tea.Msg { return done(c.before, c.after, c.err) }
		})
		s.Open()
		l := host.Lists[0]
		if len(l.Entries) != 2 || l.Entries[0].Name != "Edit ~/c.toml" || l.Entries[1].Name != "theme: dark" || l.Entries[1].Note != "flag" {
			t.Fatalf("%s: got the list %+v, want the file and the setting", name, l.Entries)
		}
		for _, e := range l.Entries { // each leads to the file
			host.Said, opened = nil, ""
			e.Value.(control.Action)()().(control.DoneMsg)()
			if got := host.LastNotice(); got.Text != c.want || got.Bad != c.bad || opened != "/home/me/c.toml" {
				t.Errorf("%s: got notice %+v after editing %q, want %q", name, got, opened, c.want)
			}
		}
	}
}

func TestWithoutAPlaceForTheFileTheListSaysSo(t *testing.T) {
	host := controltest.NewHost(model.NewState())
	s := settings.New(host, settings.Source{List: []settings.Setting{{Name: "theme"}}}, nil)
	s.Open()
	for _, e := range host.Lists[0].Entries {
		if e.Why == "" {
			t.Errorf("%s leads to a file that cannot be, want why not", e.Name)
		}
	}
	s = settings.New(host, settings.Source{}, nil)
	if c := controltest.Commands(s.Actions())[0]; c.Why == "" || len(s.Entries()) != 0 {
		t.Errorf("got the command %+v without settings, want why it is not possible", c)
	}
}
