package cli

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/internal/config"
	"parley/ui"
)

// A setting is the value of a flag and its source.
type setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

func (a *app) configCommand() *cobra.Command {
	c := a.configShowCommand("config", "Show the settings")
	c.AddCommand(a.configShowCommand("show", "Print every setting and its source"))
	return c
}

// configShowCommand prints settings and changes none (A2A CLI specification 0.2 §8.3). It has
// every flag that can be set, so that it shows their effect.
func (a *app) configShowCommand(name, short string) *cobra.Command {
	var f taskFlags
	var s sendFlags
	c := &cobra.Command{
		Use:   name + " [flags]",
		Short: short,
		Example: `  parley config
  parley config -o json
  parley config --config other.toml`,
		Args: argCount(0, "parley config show takes no arguments."),
	}
	a.taskFlags(c, &f)
	s.flags(c.Flags())
	var w workbench
	screen := pflag.NewFlagSet(name, pflag.ContinueOnError)
	w.flags(screen)
	c.Flags().AddFlagSet(screen)
	c.RunE = func(*cobra.Command, []string) error {
		for _, why := range ui.UnusableKeys(a.settings.Keys) {
			a.note("Warning", "%s", why)
		}
		return a.printSettings(a.effective(c))
	}
	return c
}

// helper lists the program that prints the bearer token, without its arguments, which may
// contain secrets.
func (a *app) helper() []setting {
	words := a.settings.BearerCommand
	if len(words) == 0 {
		return nil
	}
	return []setting{{Name: "bearer-command", Value: words[0], Source: "config.toml"}}
}

// namedAgents lists the agents that a name opens, with their sources: those of config.toml, then
// those that were saved on the screen.
func (a *app) namedAgents() []config.Agent {
	agents := slices.Clone(a.settings.Agents)
	if file := a.roster(); file != nil {
		for _, agent := range file.Content().Agents {
			if found, ok := a.savedAgent(agent.Name); ok && found.Place == "" {
				agent.Place = file.Path()
				agents = append(agents, agent)
			}
		}
	}
	return agents
}

// settingsOf returns the settings of the command that opened the screen, listed as parley config lists
// its own.
func (w workbench) settingsOf(a *app) ui.Settings {
	s := ui.Settings{File: a.sources.TOML(), Home: a.env.get("HOME"), Check: func() []string {
		_, wrong, err := config.Load(a.sources)
		if err != nil {
			wrong = append(wrong, sentence(err.Error()))
		}
		for i := range wrong {
			wrong[i] += "."
		}
		return wrong
	}}
	if a.command != nil {
		for _, one := range a.effective(a.command) {
			s.List = append(s.List, ui.Setting(one))
		}
	}
	return s
}

// effective lists the settings of a command without their secrets, and the agents that have a name.
func (a *app) effective(c *cobra.Command) (list []setting) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(commandLineOnly, f.Name) {
			return
		}
		s := setting{Name: f.Name, Value: a.masked(f), Source: "built-in default"}
		if f.Changed {
			s.Source = "flag"
		} else if v, ok := a.settings.Lookup(f.Name); ok {
			s.Source = v.Place()
		} else if f.Name == "theme" && s.Value != f.DefValue {
			s.Source = a.themeFile()
		}
		list = append(list, s)
	})
	list = append(list, a.helper()...)
	for _, agent := range a.namedAgents() {
		list = append(list, setting{Name: "agent", Value: agent.Name + " " + a2a.MaskReference(agent.Ref), Source: agent.Place})
	}
	return list
}

// masked returns a flag's value with its secrets masked.
func (a *app) masked(f *pflag.Flag) string {
	list, many := f.Value.(pflag.SliceValue)
	switch {
	case many:
		values := slices.Clone(list.GetSlice())
		for i, v := range values {
			if h, ok := param(v); ok && f.Name == "svc-param" && a.net.secret(h) {
				values[i] = h.Name + ":" + a2a.Mask
			}
			if config.IsAddress(f.Name) {
				values[i] = a2a.MaskReference(v)
			}
		}
		return strings.Join(values, ", ")
	case f.Value.String() == "":
		return ""
	case config.IsSecret(f.Name):
		return a2a.Mask
	case config.IsAddress(f.Name):
		return a2a.MaskReference(f.Value.String(), a.net.public...)
	default:
		return f.Value.String()
	}
}

func (a *app) printSettings(list []setting) error {
	var p page
	for _, s := range list {
		p.field(s.Name, line(cmp.Or(s.Value, none))+", "+s.Source)
	}
	out := p.b.Bytes()
	if a.json {
		raw, err := json.Marshal(list)
		if err == nil {
			out, err = indent(raw)
		}
		if err != nil {
			return internal("The settings cannot be written as JSON.")
		}
		out = append(out, '\n')
	}
	return a.print(out)
}
