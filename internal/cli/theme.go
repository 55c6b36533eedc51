package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/internal/config"
	"parley/internal/outlet"
	"parley/internal/sharedfile"
	"parley/session/journal"
	"parley/themes"
	"parley/ui"
)

// autoTheme lets the terminal's background choose.
const autoTheme = "auto"

// themeFlag adds the flag for the theme.
func themeFlag(f *pflag.FlagSet, to *string) {
	f.StringVar(to, "theme", autoTheme, "colours: auto, or the `NAME` of a theme that parley themes lists")
}

// themeFolder returns the folder of the user's themes, beside config.toml.
func (a *app) themeFolder() themes.Folder {
	dir := config.Dir(runtime.GOOS, a.env.get)
	if dir == "" {
		return themes.Folder{}
	}
	return themes.Folder{Path: filepath.Join(dir, "themes")}
}

// loadTheme finds the theme of a command that opens the screen. A name on the command line or in
// the environment that no theme has is an error; elsewhere it costs only itself, as do mistakes
// in a file.
func (a *app) loadTheme(c *cobra.Command) error {
	flag := c.Flags().Lookup("theme")
	if flag == nil {
		return nil
	}
	o := ui.Theme{Name: flag.Value.String(), Folder: a.themeFolder(), Home: a.env.get("HOME"), Loaded: map[string]themes.Theme{}}
	v, set := a.settings.Lookup("theme")
	saved := a.themeFile()
	if set && !flag.Changed {
		o.Fixed = v.Place()
	}
	if !set && !flag.Changed {
		if name := savedTheme(saved); name != "" {
			o.Name = name
			_ = flag.Value.Set(name) // a text fits
		}
	}
	if o.Name != autoTheme {
		t, mistakes, ok := o.Folder.Load(o.Name)
		switch {
		case ok:
			o.Loaded[o.Name] = t
			a.warnOfTheme(mistakes)
		case flag.Changed || set && !v.Mild:
			return usage("There is no theme %s: parley themes lists them.", line(o.Name))
		default:
			place := saved
			if set {
				place = v.Place()
			}
			a.mildly("%s: there is no theme %s; parley themes lists them, and the terminal's background chooses now", line(place), line(o.Name))
			o.Name, o.Fixed = autoTheme, ""
		}
	}
	if o.Name == autoTheme {
		for _, name := range []string{"dark", "light"} {
			if o.Folder.Has(name) {
				t, mistakes, _ := o.Folder.Load(name)
				o.Loaded[name] = t
				a.warnOfTheme(mistakes)
			}
		}
	}
	if saved != "" {
		o.Save = func(name string) (string, error) { return saved, saveTheme(saved, name) }
	}
	a.theme = o
	return nil
}

// warnOfTheme warns of mistakes in a theme's file.
func (a *app) warnOfTheme(mistakes []string) {
	for _, mistake := range mistakes {
		a.mildly("%s", line(mistake))
	}
}

// themeFile returns the file with the name of the theme that was chosen on the screen, empty if
// there is no folder for it.
func (a *app) themeFile() string {
	sessions, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if err != nil {
		return ""
	}
	return filepath.Join(filepath.Dir(sessions), "theme")
}

// savedTheme returns the name in the file of the chosen theme, empty if there is none.
func savedTheme(path string) string {
	info, err := os.Stat(path)
	const most = 100 // bytes; the file has one name
	if path == "" || err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return ""
	}
	content, err := os.ReadFile(path)
	name := strings.TrimSpace(string(content))
	if err != nil || name != autoTheme && themes.CheckName(name) != "" {
		return ""
	}
	return name
}

// saveTheme writes the name of the chosen theme. The error is a clause.
func saveTheme(path, name string) error {
	err := outlet.PrivateFolder(filepath.Dir(path))
	if err == nil {
		err = sharedfile.Replace(path, []byte(name+"\n"))
	}
	if err != nil {
		return errors.New("the file " + path + " cannot be written (" + causeOf(err) + ")")
	}
	return nil
}

// A themeRow is a theme in the list.
type themeRow struct {
	Name       string   `json:"name"`
	About      string   `json:"about"`
	Background string   `json:"background"` // dark or light
	File       string   `json:"file,omitempty"`
	Mistakes   []string `json:"mistakes,omitempty"`
}

// themesCommand lists the themes.
func (a *app) themesCommand() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "themes",
		Short: "List the themes, and what is wrong with your own",
		Long: `List the built-in themes and your own: a file NAME.toml in the folder themes
beside config.toml changes a built-in one. docs/themes.md says how to write it.`,
		Example: `  parley themes
  parley themes -o json
  parley demo --theme nord`,
		Args: argCount(0, "parley themes takes no arguments: parley --theme NAME uses one."),
		RunE: func(*cobra.Command, []string) error {
			if output != "text" && output != "json" {
				return usage("The value of --output is neither text nor json.")
			}
			return a.listThemes()
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "text", "`format` of the output: text or json")
	return c
}

// listThemes prints the themes.
func (a *app) listThemes() error {
	folder := a.themeFolder()
	var rows []themeRow
	for _, name := range folder.Names() {
		t, mistakes, _ := folder.Load(name)
		row := themeRow{Name: name, About: t.About, Background: "light", Mistakes: mistakes}
		if t.Dark {
			row.Background = "dark"
		}
		if folder.Has(name) {
			row.File = folder.File(name)
			row.Mistakes = append(row.Mistakes, t.Shortfalls()...)
		}
		rows = append(rows, row)
	}
	if a.json {
		raw, err := json.Marshal(rows)
		if err == nil {
			raw, err = indent(raw)
		}
		if err != nil {
			return internal("The themes cannot be written as JSON.")
		}
		return a.print(append(raw, '\n'))
	}
	var p page
	for _, r := range rows {
		p.add(fmt.Sprintf("%-22s  %-5s  %s", r.Name, r.Background, line(r.About)))
		if r.File != "" {
			p.add("  ", line(r.File))
		}
		p.add("\n")
		for _, m := range r.Mistakes {
			p.add("    ", line(m), "\n")
		}
	}
	if err := a.print(p.b.Bytes()); err != nil {
		return err
	}
	if folder.Path != "" {
		a.note("Note", "your own are files NAME.toml in %s.", line(folder.Path))
	}
	return nil
}
