package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"parley/internal/config"
	"parley/internal/doctor"
	"parley/internal/outlet"
	"parley/internal/units"
	"parley/session/journal"
)

// reportEnvironment prints what a bug report needs: the program, the terminal, the settings and
// the network. It contacts nobody and has no secrets.
func (a *app) reportEnvironment(f *callFlags) error {
	f.ref = "-" // no agent is named, and none is read
	if err := f.check(); err != nil {
		return err
	}
	facts := a.machine()
	if a.json {
		raw, err := json.Marshal(facts)
		if err == nil {
			raw, err = indent(raw)
		}
		if err != nil {
			return internal("The report cannot be written as JSON.")
		}
		return a.print(append(raw, '\n'))
	}
	var p page
	for _, fact := range facts {
		p.field(fact.Name, fact.Value)
		p.field("Hint", fact.Hint)
	}
	return a.print(p.b.Bytes())
}

// machine returns the facts about this machine, without secrets.
func (a *app) machine() []doctor.Fact {
	facts := []doctor.Fact{
		{Name: "Parley", Value: version + ", " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH},
		a.terminalFact(),
		a.coloursFact(),
		a.localeFact(),
		a.clipboardFact(),
		a.keyringFact(),
	}
	facts = append(facts, a.fileFacts()...)
	facts = append(facts, a.networkFacts()...)
	for i := range facts {
		f := &facts[i]
		f.Value, f.Hint = line(a.shortened(f.Value)), line(a.shortened(f.Hint))
	}
	return facts
}

// keyringFact says where the secrets of a sign-in are kept, and whether that is possible.
func (a *app) keyringFact() doctor.Fact {
	if a.net.keeper == nil {
		return doctor.Fact{Name: "Keyring", Value: "none is used"}
	}
	out := doctor.Fact{Name: "Keyring", Value: "secrets are kept in " + a.net.keeper.Place()}
	if why := a.net.unkept(keyringPatience); why != "" {
		out.Value, out.Hint = "nothing can be kept", sentence(why)+"."
	}
	if list, err := a.net.keeper.List(); err != nil {
		out.Hint = sentence(err.Error()) + "."
	} else {
		out.Value += ", " + units.Plural(len(list), "sign-in")
	}
	return out
}

// shortened replaces the user's home directory, which has a name in it.
func (a *app) shortened(text string) string {
	if home := a.env.get("HOME"); len(home) > 1 {
		return strings.ReplaceAll(text, home, "~")
	}
	return text
}

func (a *app) terminalFact() doctor.Fact {
	name := cmp.Or(a.env.get("TERM"), "TERM is not set")
	for _, v := range []string{"TERM_PROGRAM", "TMUX", "STY", "SSH_CONNECTION"} {
		switch value := a.env.get(v); {
		case value == "":
		case v == "TERM_PROGRAM":
			name += ", " + value
		default:
			name += ", " + map[string]string{"TMUX": "inside tmux", "STY": "inside screen", "SSH_CONNECTION": "over SSH"}[v]
		}
	}
	if !isTerminal(a.streams.Out) {
		return doctor.Fact{Name: "Terminal", Value: name + "; standard output is not one"}
	}
	w, h, err := term.GetSize(a.streams.Out.Fd())
	if err != nil {
		return doctor.Fact{Name: "Terminal", Value: name + ", size unknown"}
	}
	out := doctor.Fact{Name: "Terminal", Value: fmt.Sprintf("%s, %d×%d cells", name, w, h)}
	if w < 80 || h < 24 {
		out.Hint = "The workbench is made for at least 80×24 cells."
	}
	return out
}

func (a *app) coloursFact() doctor.Fact {
	if a.env.get("NO_COLOR") != "" {
		return doctor.Fact{Name: "Colours", Value: "none: NO_COLOR is set"}
	}
	profile := colorprofile.Env(a.env)
	words := map[colorprofile.Profile]string{colorprofile.TrueColor: "24-bit", colorprofile.ANSI256: "256", colorprofile.ANSI: "16"}
	out := doctor.Fact{Name: "Colours", Value: cmp.Or(words[profile], "none")}
	if profile == colorprofile.ANSI256 {
		out.Hint = "COLORTERM=truecolor says that the terminal has more, if it has."
	}
	return out
}

// localeFact says which encoding the environment names.
func (a *app) localeFact() doctor.Fact {
	value := cmp.Or(a.env.get("LC_ALL"), a.env.get("LC_CTYPE"), a.env.get("LANG"))
	out := doctor.Fact{Name: "Locale", Value: cmp.Or(value, "not set")}
	if upper := strings.ToUpper(value); value != "" && !strings.Contains(upper, "UTF-8") && !strings.Contains(upper, "UTF8") {
		out.Hint = "It names no UTF-8: set LANG=C.UTF-8, or start the workbench with --ascii."
	}
	return out
}

func (a *app) clipboardFact() doctor.Fact {
	if a.env.get("TMUX") != "" {
		return doctor.Fact{Name: "Clipboard", Value: "by the terminal (OSC 52), through tmux", Hint: "tmux passes it on with: set -g set-clipboard on"}
	}
	return doctor.Fact{Name: "Clipboard", Value: "by the terminal (OSC 52)"}
}

// fileFacts are the folders that Parley reads and writes.
func (a *app) fileFacts() []doctor.Fact {
	var out []doctor.Fact
	dir := config.Dir(runtime.GOOS, a.env.get)
	path := filepath.Join(dir, "config.toml")
	switch info, err := os.Stat(path); {
	case dir == "":
		out = append(out, doctor.Fact{Name: "Settings", Value: "none: no home directory is known"})
	case err == nil:
		out = append(out, doctor.Fact{Name: "Settings", Value: fmt.Sprintf("%s, %s", path, units.Bytes(info.Size()))})
	default:
		out = append(out, doctor.Fact{Name: "Settings", Value: path + " does not exist"})
	}
	for _, w := range a.warnings {
		out = append(out, doctor.Fact{Name: "Warning", Value: w})
	}
	out = append(out, doctor.Fact{Name: "Saved agents", Value: fmt.Sprint(len(a.namedAgents()))})
	sessions, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if err != nil {
		return append(out, doctor.Fact{Name: "Recordings", Value: "none: no folder for them is known", Hint: "Set XDG_STATE_HOME or HOME."})
	}
	entries, err := os.ReadDir(sessions)
	recordings := doctor.Fact{Name: "Recordings", Value: fmt.Sprintf("%s in %s", units.Plural(len(entries), "file"), sessions)}
	if err != nil {
		recordings.Value = sessions + " does not exist yet"
	} else if why := unwritableFolder(sessions); why != "" {
		recordings.Hint = why
	}
	return append(out, recordings)
}

// unwritableFolder says why nothing can be written into a folder, empty if something can.
func unwritableFolder(dir string) string {
	if err := outlet.Try(dir); err != nil {
		return "Nothing can be written there: " + causeOf(err) + "."
	}
	return ""
}

// networkFacts are the settings that decide how connections are made.
func (a *app) networkFacts() []doctor.Fact {
	proxies := []string{}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"} {
		value := cmp.Or(a.env.get(name), a.env.get(strings.ToLower(name)))
		if u, err := url.Parse(value); err == nil && u.User != nil {
			value = u.Redacted()
		}
		if value != "" {
			proxies = append(proxies, name+" "+value)
		}
	}
	out := []doctor.Fact{{Name: "Proxy", Value: cmp.Or(strings.Join(proxies, ", "), "none")}}
	if a.env.get("ALL_PROXY") != "" {
		out[0].Hint = "Parley does not read ALL_PROXY: set HTTP_PROXY and HTTPS_PROXY."
	}
	var set []string
	for _, s := range []struct {
		name string
		set  bool
	}{{"--cacert", a.net.cacert != ""}, {"--cert", a.net.cert != ""}, {"--insecure", a.net.insecure}, {"credentials", a.net.credentials()}} {
		if s.set {
			set = append(set, s.name)
		}
	}
	return append(out, doctor.Fact{Name: "Connections", Value: cmp.Or(strings.Join(set, ", "), "no certificates and no credentials are set")})
}
