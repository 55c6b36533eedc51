package cli

import (
	"cmp"
	"slices"
	"strings"

	"parley/internal/config"
	"parley/session/problem"
)

// A dotenvFile is the effect of a .env file that nobody named on this run. It may contain
// credentials and name an agent.
type dotenvFile struct {
	path      string
	agent     string          // the reference that it names, empty if it names none
	flags     map[string]bool // that it sets
	what      []string        // its effects, in words
	variables []string        // their variables
}

// use notes that a value of the file is used.
func (f *dotenvFile) use(what string, v config.Value) {
	if f.flags == nil {
		f.flags = map[string]bool{}
	}
	if !slices.Contains(f.variables, v.Variable) {
		f.path, f.what, f.variables = v.File, append(f.what, what), append(f.variables, v.Variable)
	}
}

// set notes that a flag has its value from the file.
func (f *dotenvFile) set(flag string, v config.Value) {
	what := map[string]string{"agent-card": "the agent", "bearer": "the bearer token", "api-key": "the API key", "mqtt-password": "the password of the broker"}[flag]
	f.use(cmp.Or(what, "the value of "+flag), v)
	f.flags[flag] = true
	if flag == "agent-card" {
		f.agent = v.Text
	}
}

// sentence lists the uses of the file, empty if it is not used.
func (f *dotenvFile) sentence() string {
	if len(f.what) == 0 {
		return ""
	}
	verb := " comes from "
	if len(f.what) > 1 {
		verb = " come from "
	}
	return problem.JoinWords(f.what) + verb + f.path + " (" + strings.Join(f.variables, ", ") + "), which was found in this folder or above it"
}

// noteDotenv reports once which credentials and which agent the .env file sets.
func (a *app) noteDotenv() {
	if s := a.dotenv.sentence(); s != "" {
		a.notes = append(a.notes, sentence(s)+".")
		a.note("Note", "%s.", s)
	}
}

// confine restricts the credentials for an agent that a found file names to those of the same
// file, because the author of the file decides where the agent is.
func (a *app) confine(ref string) error {
	if a.dotenv.agent == "" || ref != a.dotenv.agent {
		return nil
	}
	var kept, typed []string
	drop := func(flag, what string, value *string) {
		switch {
		case *value == "" || a.dotenv.flags[flag]:
			return
		case a.net.fromFlags[flag]:
			typed = append(typed, "--"+flag)
		default:
			kept = append(kept, what)
		}
		*value = ""
	}
	drop("bearer", "the bearer token", &a.net.bearer)
	drop("api-key", "the API key", &a.net.apiKey)
	drop("mqtt-password", "the password of the broker", &a.net.mqttPassword)
	if a.net.helper != nil && !a.dotenv.flags["bearer"] {
		kept = append(kept, "the token of bearer-command")
	}
	a.net.helper = nil
	if len(a.net.certificates.own) > 0 {
		kept = append(kept, "the client certificate")
	}
	a.net.certificates.own = nil
	a.net.params = slices.DeleteFunc(slices.Clone(a.net.params), func(p string) bool {
		h, ok := param(p)
		if secret := ok && a.net.secret(h); !secret {
			return false
		}
		if a.net.fromFlags["svc-param"] {
			typed = append(typed, "--svc-param "+h.Name)
		} else {
			kept = append(kept, "the header "+h.Name)
		}
		return true
	})
	why := "the agent is the one that " + a.dotenv.path + " names; that file was found in this folder or above it, so only its own credentials go there"
	if len(typed) > 0 {
		return usage("%s: name the agent with --agent-card to allow %s.", sentence(why), problem.JoinWords(typed))
	}
	if len(kept) > 0 {
		a.note("Warning", "%s: not sent: %s. Name the agent with --agent-card to send that.", why, problem.JoinWords(kept))
	}
	return nil
}

// credential returns the value of a variable that a setting of config.toml names.
func (a *app) credential(name string) string {
	v, _ := a.settings.Variable(name)
	if v.Found {
		a.dotenv.use("the value of $"+name, v)
	}
	return v.Text
}
