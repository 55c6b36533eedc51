package cli

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/internal/config"
)

// commandLineOnly are flags that no environment and no file can set: they act,
// shape the output, or are the content of one message.
var commandLineOnly = []string{"help", "version", "stream", "raw", "config", "step", "follow", "back-to", "text", "file", "data", "media-type", "as", "out", "force", "filter", "conversation", "exit-code", "only", "ignore", "search", "all", "yes", "remove", "older", "keep-pinned", "dry-run", "listen", "ready-file", "fast", "fault",
	"headless", "render", "size", "trials", "fallback", "render", "size", "fail-on", "junit", "sarif", "status", "updated-after", "page-size", "page-token", "include-artifacts", "every-page", "url", "id", "push-scheme", "save", "urls", "artifact", "plain", "flow", "scope", "no-browser", "to", "name"}

// configure loads the settings and applies them to the flags that the command line did not set.
func (a *app) configure(c *cobra.Command, _ []string) error {
	a.path, a.command = c.CommandPath(), c
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // then there is no local file
	}
	file, err := c.Flags().GetString("config")
	if err != nil || file == "" {
		file = a.fromEnvironment("config")
	}
	a.sources = config.Options{
		Getenv: a.env.get, Dir: dir, File: file,
		Folder: config.Dir(runtime.GOOS, a.env.get), Flags: sync.OnceValue(func() []string { return settable(Commands()) }), Misfit: misfit,
	}
	settings, warnings, err := config.Load(a.sources)
	for _, w := range warnings {
		a.mildly("%s", w)
	}
	if err != nil {
		return usage("%s.", sentence(err.Error()))
	}
	a.settings = settings
	a.net.fromFlags = map[string]bool{}
	c.Flags().Visit(func(f *pflag.Flag) { a.net.fromFlags[f.Name] = true })
	var failure error
	for _, late := range []bool{false, true} { // what is public decides which service parameters are secrets
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if failure == nil && (f.Name == "svc-param") == late && !f.Changed && !slices.Contains(commandLineOnly, f.Name) && !a.noAnswer(c, f.Name) {
				failure = a.set(f)
			}
		})
	}
	a.dropCertificate()
	a.net.helper = a.tokenCommand(settings.BearerCommand)
	a.net.tracer = newTracer(newID())
	a.net.hub = newHub()
	a.noteDotenv()
	if f := c.Flags().Lookup("output"); f != nil {
		a.json = f.Value.String() == "json"
	}
	if failure == nil {
		failure = a.net.check()
	}
	if failure == nil {
		failure = checkForce(c.Flags())
	}
	if failure == nil {
		failure = a.openIdentities()
	}
	if failure == nil {
		failure = a.loadTheme(c)
	}
	return failure
}

// noAnswer reports whether a setting asks for a format of answers, and the command gets none.
func (a *app) noAnswer(c *cobra.Command, flag string) bool {
	v, _ := a.settings.Lookup(flag)
	return flag == "output" && (v.Text == answerOnly && c.Flags().Lookup("raw") == nil || v.Text == drawn && !strings.Contains(c.Flags().Lookup(flag).Usage, drawn))
}

// mildly warns of something that is ignored.
func (a *app) mildly(format string, args ...any) {
	w := fmt.Sprintf(format, args...)
	a.warnings = append(a.warnings, w+".")
	a.note("Warning", "%s.", w)
}

// settable lists the flags of all commands that config.toml may set.
func settable(root *cobra.Command) (names []string) {
	add := func(f *pflag.Flag) {
		if !slices.Contains(commandLineOnly, f.Name) && !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(add)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	return names
}

// set gives a flag its configured value.
func (a *app) set(f *pflag.Flag) error {
	v, ok := a.settings.Lookup(f.Name)
	if !ok {
		return nil
	}
	var err error
	if v.Mild {
		if v.Text = a.usableValues(f.Name, v); v.Text == "" {
			a.settings.Refuse(f.Name)
			return nil
		}
		if f.Name == "svc-param" {
			v.Text = os.Expand(v.Text, a.credential)
		}
	}
	if list, many := f.Value.(pflag.SliceValue); many {
		err = list.Replace(strings.FieldsFunc(v.Text, func(r rune) bool {
			return r == '\n' || r == ',' && f.Name == "transport"
		}))
	} else {
		err = f.Value.Set(v.Text)
	}
	switch {
	case err != nil && v.Mild:
		a.settings.Refuse(f.Name)
		a.mildly("%s: %s is not %s; it is not used", v.File, f.Name, valueKind(f))
		return nil
	case err != nil:
		return usage("The value of %s is not %s.", line(v.Place()), valueKind(f))
	}
	switch {
	case v.Found:
		a.dotenv.set(f.Name, v)
	case f.Name == "agent-card" && v.File != "":
		a.note("Note", "the agent is the one that %s names.", v.Place())
	}
	return nil
}

// dropCertificate removes an unusable client certificate in config.toml: a mistake there costs
// only itself.
func (a *app) dropCertificate() {
	cert, _ := a.settings.Lookup("cert")
	key, _ := a.settings.Lookup("key")
	why := unreadable("", a.net.cert, a.net.key)
	if why == "" || a.net.fromFlags["cert"] || a.net.fromFlags["key"] || cert.Text != "" && !cert.Mild || key.Text != "" && !key.Mild {
		return
	}
	a.mildly("%s: cert is %s; it is not used", cmp.Or(cert.File, key.File), why)
	a.settings.Refuse("cert")
	a.settings.Refuse("key")
	a.net.cert, a.net.key = "", ""
}

// usableValues returns the usable values of a setting of config.toml, one on each line, and warns
// of the others.
func (a *app) usableValues(flag string, v config.Value) string {
	values := strings.Split(v.Text, "\n")
	if why := tooMany(flag, values); why != "" {
		a.mildly("%s: %s is %s; it is not used", v.File, flag, why)
		return ""
	}
	return strings.Join(slices.DeleteFunc(values, func(value string) bool {
		why := misfit(flag, value)
		if flag == "svc-param" && why == "" {
			why = a.net.plainSecret(value)
		}
		if why != "" {
			a.mildly("%s: %s is %s; it is not used", v.File, flag, why)
		}
		return why != ""
	}), "\n")
}

// fromEnvironment returns a setting of the environment alone.
func (a *app) fromEnvironment(flag string) string {
	for _, name := range config.Variables(flag) {
		if v := a.env.get(name); v != "" {
			return v
		}
	}
	return ""
}

// layerUnset is the rank of a flag without a value.
const layerUnset = 1 << 10

// layerOf ranks the source of a flag's value: the lower the number the stronger.
func (a *app) layerOf(c *cobra.Command, flag string) int {
	if c.Flags().Changed(flag) {
		return -1
	}
	if v, ok := a.settings.Lookup(flag); ok {
		return v.Layer
	}
	return layerUnset
}

// wantsJSON reports whether failures must be reported in JSON, before the command line has been
// parsed.
func (a *app) wantsJSON() bool {
	for i, arg := range a.args {
		switch {
		case arg == "--":
			return a.fromEnvironment("output") == "json"
		case arg == "-o" || arg == "--output":
			return i+1 < len(a.args) && a.args[i+1] == "json"
		case strings.HasPrefix(arg, "--output="):
			return arg == "--output=json"
		case strings.HasPrefix(arg, "-o") && len(arg) > 2:
			return strings.TrimPrefix(arg[2:], "=") == "json"
		}
	}
	return a.fromEnvironment("output") == "json"
}

// sentence gives a text a capital letter and no full stop.
func sentence(s string) string {
	s = strings.TrimSuffix(s, ".")
	if s == "" || s[0] >= utf8.RuneSelf { // such as a quotation mark
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
