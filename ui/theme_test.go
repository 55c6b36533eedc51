package ui

import (
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"parley/a2a"
	"parley/internal/golden"
	"parley/internal/trust"
	"parley/internal/units"
	"parley/themes"
	"parley/ui/control"
	"parley/ui/control/theme"
	"parley/ui/styles"
)

// Everything that draws has the colours of the theme: a screen whose theme changed equals one
// that began in that theme. The screens have every pane, and every sheet of the table; each
// changes to the light theme by the terminal's background, and by the user's choice to another
// one, the three first screens to every theme.
func TestAChangeOfThemeRestylesEveryPaneAndSheet(t *testing.T) {
	t.Parallel()
	all := slices.DeleteFunc(slices.Clone(spots), func(s spot) bool { return !s.types }) // with text fields
	for _, s := range scenes {
		if s.name != "themes" { // which shows the theme of its selected row
			all = append(all, spot{name: "scene " + s.name, play: s.play})
		}
	}
	inbox := func(d *desk) {
		d.book(asksWhere)
		d.tells(control.Place{Agent: 2, Conversation: 50}, "aaaa-1111", "AUTH_REQUIRED", "Sign in at https://login.example/x.")
		d.press("ctrl+g")
	}
	all = append(all, []spot{
		{name: "inbox", play: inbox},
		{name: "presenter", o: Options{Present: true}, play: func(d *desk) { d.book(allBooked); d.press("alt+w", "alt+j", "k", "k", "k") }},
		{name: "resume", o: resumable(noBegin), play: func(d *desk) { d.book(asksWhere); d.replayed() }},
		{name: "picker", play: func(d *desk) { d.sends("docs/one.txt", "zz.txt"); d.press("alt+a") }},
		{name: "preview", play: func(d *desk) { d.book(allBooked); d.write("/preview fares.json"); d.press("enter") }},
		{name: "extensions", play: func(d *desk) { d.extensible(); d.write("/ext"); d.press("enter") }},
		{name: "trust", o: Options{Approved: trust.Open(filepath.Join(t.TempDir(), "approved-cards.json"), time.Now)}, play: func(d *desk) { d.book(allFound); d.write("/trust"); d.press("enter") }},
		{name: "catalog", play: func(d *desk) {
			d.engine.Catalogs = map[string]a2a.Catalog{"https://agents.example": listing()}
			d.book(allFound)
			d.write("/catalog https://agents.example")
			d.press("enter")
		}},
		{name: "doctor", o: Options{Doctor: expired()}, play: func(d *desk) { d.book(allFound); d.write("/doctor"); d.press("enter") }},
		{name: "taps", o: Options{Taps: &fakeTaps{taps: []Tap{{Name: "desk", URL: "http://127.0.0.1:4107", Target: "http://127.0.0.1:9999", Agent: 1, Exchanges: 3, Open: 1, Fault: "cut:5"}, {Name: "planner", URL: "http://127.0.0.1:4108", Target: "https://planner.example", Agent: 2, Problem: "The agent cannot be reached."}}}}, play: func(d *desk) { d.book(allFound); d.write("/tap"); d.press("enter") }},
		{name: "chain", play: func(d *desk) { d.book(allFound); d.model.chain.Open() }},
		{name: "send options", play: func(d *desk) { d.book(allFound); d.press("alt+h") }},
		{name: "sign-in", o: Options{SignIn: &fakeSignIn{}}, play: func(d *desk) { d.book(allFound); d.press("f5") }},
		{name: "JSON", play: func(d *desk) { d.book(allFound); d.write("/data"); d.press("enter") }},
	}...)
	var sheets []control.Sheet
	covered := map[control.SheetName]bool{theme.SheetName: true} // see TestTheListOfThemesIsAPreview
	names := themes.Names()
	for i, s := range all {
		t.Run(s.name, func(t *testing.T) {
			draw := func(begin, choice string) (rows []string) {
				o := s.o
				o.Theme.Name = begin
				bubble(t, 120, 40, o, func(d *desk) {
					s.play(d)
					if choice != "" {
						d.run(d.model.theme.Choose(choice))
						d.settle()
					}
					d.model.touch()
					d.send(tea.BackgroundColorMsg{Color: color.White}) // a theme of its own ignores it
					d.wait(noticeTime * 10)                            // notices go, and what is rendered in the background comes
					rows = strings.Split(strings.ReplaceAll(d.model.View().Content, d.model.opts.Dir, "DIR"), "\n")
					sheets = d.model.sheets
					covered[d.model.screen.over] = true
				})
				return rows
			}
			compare := func(name string, got, want []string) {
				for y := range want {
					if got[y] != want[y] {
						t.Fatalf("row %d after the theme became %s: got %q, want %q as in that theme from the start", y, name, got[y], want[y])
					}
				}
			}
			light := draw("light", "")
			compare("light", draw("auto", ""), light)
			if i < 3 {
				for _, name := range names {
					compare(name, draw("dark", name), draw(name, ""))
				}
			} else {
				name := names[i%len(names)]
				compare("light", draw(name, "light"), light)
			}
		})
	}
	for _, s := range sheets {
		if !covered[s.Name] {
			t.Errorf("no screen shows the sheet %s", s.Name)
		}
	}
}

// The list of themes draws the whole screen in the selected theme at once. Whatever closes it
// brings the theme of before back, but enter.
func TestTheListOfThemesIsAPreview(t *testing.T) {
	t.Parallel()
	var saved []string
	o := Options{Theme: Theme{Save: func(name string) (string, error) {
		saved = append(saved, name)
		return "/home/me/state/theme", nil
	}, Home: "/home/me"}}
	bubble(t, 120, 40, o, func(d *desk) {
		d.book(midStream)
		d.wait(noticeTime * 3)
		before := d.model.View().Content
		d.press("alt+t")
		d.sees("─ themes ─", "✓ dark", units.Plural(len(themes.Names()), "theme"), "catppuccin-mocha", "enter keep theme", "Breakfast until eleven")
		ground := func(want string) {
			t.Helper()
			theme, _ := themes.ByName(want)
			if got := d.model.st.Theme; got != theme {
				t.Errorf("got theme %s on the screen, want %s", got.Name, want)
			}
			if on := styles.New(theme, d.model.st.G).Ground.On; !strings.Contains(d.model.View().Content, on) {
				t.Errorf("got a screen without %q, the ground of %s", on, want)
			}
		}
		d.press("j")
		ground("light")
		d.press("G")
		ground("mono")
		for _, close := range []string{"esc", "ctrl+c", "ctrl+l"} {
			d.press(close)
			ground("dark")
			d.press("alt+t", "j", "j")
			ground("catppuccin-latte")
		}
		d.press("f1")
		ground("dark") // the help lies over the list
		d.press("esc")
		ground("catppuccin-latte")
		d.press("esc")
		if got := d.model.View().Content; got != before {
			t.Error("got another screen after esc, want the one of before")
		}
		if len(saved) > 0 {
			t.Errorf("got %v saved by esc, want nothing", saved)
		}
		d.press("alt+t", "j", "j", "enter")
		ground("catppuccin-latte")
		d.says("theme catppuccin-latte, saved in ~/state/theme")
		d.write("/theme")
		d.press("esc", "enter")
		d.sees("✓ catppuccin-latte")
		d.press("g", "enter") // auto
		d.send(tea.BackgroundColorMsg{Color: color.White})
		ground("light")
		if !slices.Equal(saved, []string{"catppuccin-latte", "auto"}) {
			t.Errorf("got %v saved, want what enter kept", saved)
		}
	})
}

// A user's file is read when the list is opened or its theme is named, and its mistakes are shown.
func TestTheUsersThemesAreListed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("mine.toml", "base = \"nord\"\naccent = \"#ffffff\"")
	write("wrong.toml", "acent = \"#ffffff\"")
	o := Options{Theme: Theme{Folder: themes.Folder{Path: dir}, Fixed: "theme in /c/config.toml:3"}}
	bubble(t, 120, 40, o, func(d *desk) {
		d.press("alt+t", "G", "k")
		d.sees(units.Plural(len(themes.Names())+2, "theme"), "based on nord", "⚑ wrong", "Your own: NAME.toml in")
		if got := d.model.st.Theme; got.Name != "mine" || got.Accent != (color.RGBA{R: 255, G: 255, B: 255, A: 255}) {
			t.Errorf("got theme %+v, want the user's", got)
		}
		d.press("G")
		d.sees("wrong.toml:1: a theme has no")
		d.press("esc")
		write("mine.toml", "base = \"nord\"\naccent = \"#eeeeee\"")
		d.write("/theme mi")
		d.press("tab", "enter")
		if got := d.model.st.Theme; got.Accent != (color.RGBA{R: 0xee, G: 0xee, B: 0xee, A: 0xff}) {
			t.Errorf("got theme %+v, want the file as it is now", got)
		}
		d.says("theme mine for this run: theme in /c/config.toml:3 names another one")
		d.write("/theme wrong")
		d.press("enter")
		d.sees("wrong.toml:1: a theme has no")
	})
}

// A user's change of the dark or the light theme is what the terminal's background chooses.
func TestTheBackgroundChoosesTheUsersChange(t *testing.T) {
	t.Parallel()
	own := map[string]themes.Theme{}
	for _, name := range []string{"dark", "light"} {
		own[name], _ = themes.Read(name, name+".toml", []byte("failed = \"#ff00ff\""))
	}
	bubble(t, 120, 40, Options{Theme: Theme{Name: "auto", Loaded: own}}, func(d *desk) {
		if got := d.model.st.Theme; got != own["dark"] {
			t.Errorf("got theme %+v at the start, want the user's dark one", got)
		}
		d.send(tea.BackgroundColorMsg{Color: color.White})
		if got := d.model.st.Theme; got != own["light"] {
			t.Errorf("got theme %+v on a light background, want the user's light one", got)
		}
		d.write("/theme purple")
		d.press("enter")
		d.sees("There is no theme purple")
		d.press("alt+t", "G", "enter")
		d.sees("theme mono")
		d.write("/theme auto")
		d.press("enter")
		if got := d.model.st.Theme; got != own["light"] {
			t.Errorf("got theme %+v, want the one of the background again", got)
		}
	})
}

// What the terminal has of colours decides how a theme is drawn, and changes with the theme.
func TestATerminalWithFewColoursGetsThem(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(midStream)
		for _, tt := range []struct {
			profile     colorprofile.Profile
			want, never string
		}{
			{colorprofile.ANSI256, "[38;5;", "8;2;"}, {colorprofile.ANSI, "[97;40m", "8;5;"}, {colorprofile.TrueColor, "[38;2;", "8;5;"}, {colorprofile.NoTTY, "[1m", "8;"},
			{colorprofile.TrueColor, "[1m", "8;"}, // no colours stay none
		} {
			d.send(tea.ColorProfileMsg{Profile: tt.profile})
			d.wait(time.Second)
			if got := d.model.View().Content; !strings.Contains(got, tt.want) || strings.Contains(got, tt.never) {
				t.Errorf("%s: got %q, want %q in it and nowhere %q", tt.profile, got, tt.want, tt.never)
			}
		}
	})
	noColor := func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }
	bubble(t, 120, 40, Options{Getenv: noColor, Theme: Theme{Name: "nord"}}, func(d *desk) {
		d.book(midStream)
		d.send(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
		d.press("alt+t", "j")
		d.sees("all themes look alike")
		if got := d.model.View().Content; strings.Contains(got, "[38;") || strings.Contains(got, "[48;") {
			t.Error("got colours with NO_COLOR, want none")
		}
	})
}

// The colours of a screen in every theme and depth: one file, in which a theme that draws the same
// areas as another one says so.
func TestFramesOfEveryTheme(t *testing.T) {
	t.Parallel()
	depths := []struct {
		name    string
		profile colorprofile.Profile
	}{{"24 bits", colorprofile.TrueColor}, {"256 colours", colorprofile.ANSI256}, {"16 colours", colorprofile.ANSI}}
	for _, depth := range depths {
		t.Run(depth.name, func(t *testing.T) {
			var out strings.Builder
			seen := map[string]string{}
			for _, name := range themes.Names() {
				bubble(t, 120, 40, Options{Theme: Theme{Name: name}}, func(d *desk) {
					d.send(tea.ColorProfileMsg{Profile: depth.profile})
					d.book(midStream)
					d.press("tab", "tab", "k", "k")
					d.wait(time.Second)
					areas, styles := areasOf(d.rows())
					for _, part := range []struct{ what, drawn string }{{"areas", areas}, {"styles", styles}} {
						heading := "== " + name + ": " + part.what
						if as := seen[part.drawn]; as != "" {
							out.WriteString(heading + " as in " + as + "\n")
							continue
						}
						seen[part.drawn] = name
						out.WriteString(heading + "\n" + part.drawn + "\n")
					}
				})
			}
			golden.Compare(t, "frames/themes-"+strings.ReplaceAll(depth.name, " ", "-"), out.String())
		})
	}
}

// A few screens in 256 and in 16 colours, with their colours.
func TestFramesInFewColours(t *testing.T) {
	t.Parallel()
	for _, look := range []struct {
		name, theme string
		profile     colorprofile.Profile
	}{{"256-dark", "dark", colorprofile.ANSI256}, {"256-nord", "nord", colorprofile.ANSI256}, {"16-dark", "dark", colorprofile.ANSI}, {"16-light", "light", colorprofile.ANSI}} {
		for _, s := range scenes {
			if !slices.Contains([]string{"streaming", "findings", "themes"}, s.name) {
				continue
			}
			t.Run(look.name+"/"+s.name, func(t *testing.T) {
				bubble(t, 120, 40, Options{Theme: Theme{Name: look.theme}}, func(d *desk) {
					d.send(tea.ColorProfileMsg{Profile: look.profile})
					s.play(d)
					d.wait(time.Second)
					golden.Compare(t, "frames/"+look.name+"/"+s.name, strings.Join(d.rows(), "\n"))
				})
			})
		}
	}
}
