package cli

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/internal/config"
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
		Args:  argCount(0, "parley config show takes no arguments."),
	}
	a.taskFlags(c, &f)
	s.flags(c.Flags())
	var w workbench
	screen := pflag.NewFlagSet(name, pflag.ContinueOnError)
	w.flags(screen)
	c.Flags().AddFlagSet(screen)
	c.RunE = func(*cobra.Command, []string) error {
		return a.printSettings(slices.Concat(a.effective(c), a.helper(), a.keptAgents()))
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

// keptAgents lists the named agents.
func (a *app) keptAgents() (list []setting) {
	add := func(agent *config.Agent, source string) {
		list = append(list, setting{Name: "agent", Value: agent.Name + " " + a2a.MaskReference(agent.Ref), Source: source})
	}
	for i := range a.settings.Agents {
		add(&a.settings.Agents[i], a.settings.Agents[i].Place)
	}
	if file := a.roster(); file != nil {
		c := file.Known()
		for i := range c.Agents {
			if found, ok := a.kept(c.Agents[i].Name); ok && found.Place == "" {
				add(&c.Agents[i], file.Path())
			}
		}
	}
	return list
}

// effective lists the settings of a command without their secrets.
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
		}
		list = append(list, s)
	})
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
		}
		return strings.Join(values, ", ")
	case f.Value.String() == "":
		return ""
	case f.Name == "bearer" || f.Name == "api-key":
		return a2a.Mask
	case f.Name == "agent-card" || f.Name == "endpoint":
		return a2a.MaskReference(f.Value.String(), a.net.public...)
	default:
		return f.Value.String()
	}
}

func (a *app) printSettings(list []setting) error {
	var p page
	for _, s := range list {
		value := s.Value
		if value == "" {
			value = none
		}
		p.field(s.Name, line(value)+", "+s.Source)
	}
	out := p.b.Bytes()
	if a.json {
		raw, err := json.Marshal(list)
		if err == nil {
			out, err = indented(raw)
		}
		if err != nil {
			return internal("The settings cannot be written as JSON.")
		}
		out = append(out, '\n')
	}
	if _, err := a.streams.Out.Write(out); err != nil {
		return internal("Standard output cannot be written: check the disk, or what reads it.")
	}
	return nil
}
