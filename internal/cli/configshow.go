package cli

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
)

// A setting is the value that a flag has and where it comes from.
type setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

func (a *app) configCommand() *cobra.Command {
	c := group("config", "Look at the settings")
	c.AddCommand(a.configShowCommand())
	return c
}

// configShowCommand prints settings and changes none (A2A CLI specification 0.2
// §8.3). It has every flag that can be set, so that it shows what those would do.
func (a *app) configShowCommand() *cobra.Command {
	var f taskFlags
	var s sendFlags
	c := &cobra.Command{
		Use:   "show [flags]",
		Short: "Print every setting of the commands without a screen, and where it comes from",
		Args:  argCount(0, "parley config show takes no arguments."),
	}
	a.taskFlags(c, &f)
	s.flags(c.Flags())
	c.RunE = func(*cobra.Command, []string) error { return a.printSettings(a.effective(c)) }
	return c
}

// effective lists the settings of a command without their secrets.
func (a *app) effective(c *cobra.Command) (list []setting) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(commandLineOnly, f.Name) {
			return
		}
		s := setting{Name: f.Name, Value: masked(f), Source: "built-in default"}
		if f.Changed {
			s.Source = "flag"
		} else if v, ok := a.settings.Lookup(f.Name); ok {
			s.Source = v.Place()
		}
		list = append(list, s)
	})
	return list
}

// masked returns a flag's value without what must not be shown.
func masked(f *pflag.Flag) string {
	list, many := f.Value.(pflag.SliceValue)
	switch {
	case many:
		values := list.GetSlice()
		for i, v := range values {
			if name, value, ok := cutParam(v); ok && f.Name == "svc-param" && carriesSecret(name, value) {
				values[i] = name + ":" + a2a.Mask
			}
		}
		return strings.Join(values, ", ")
	case f.Value.String() == "":
		return ""
	case f.Name == "bearer" || f.Name == "api-key":
		return a2a.Mask
	case f.Name == "agent-card":
		return a2a.MaskURL(f.Value.String())
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
