package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/a2a/curl"
)

// defaultPoll is how often a task is requested (A2A CLI specification 0.2 §9.3).
const defaultPoll = 2 * time.Second

// callFlags are the flags of every command that talks to one agent without a
// screen.
type callFlags struct {
	ref        string
	transports []string
	version    string
	output     string
	stream     bool
	verbose    bool
	debug      bool
	timeout    time.Duration
	poll       time.Duration
	record     string
	findings   string

	dialect a2a.DialectName // of version
	extra   []string        // flags that the command to continue with needs too
}

func (a *app) callFlags(c *cobra.Command, f *callFlags) {
	fs := c.Flags()
	fs.StringVarP(&f.ref, "agent-card", "a", "", "the agent's `ref`: a host, a base URL, the URL of its card, a card file, - for standard input, or the name of a saved agent")
	fs.StringSliceVar(&f.transports, "transport", nil, "preferred `binding`, highest first; repeatable (default: the card's order)")
	fs.StringVar(&f.version, "a2a-version", "", "protocol `version` to speak: 1.0, 0.3, 0.2 or 0.1 (default: the highest that both support)")
	fs.StringVarP(&f.output, "output", "o", "text", "`format` of the output: text or json")
	fs.BoolVar(&f.stream, "stream", false, "print events as they come; with -o json one JSON document per line")
	fs.BoolVar(&f.verbose, "verbose", false, "show everything that was exchanged, not only the essentials")
	fs.BoolVar(&f.debug, "debug", false, "print the wire to standard error, without secrets")
	fs.DurationVar(&f.timeout, "timeout", 0, "give up after this time; 0 is no limit")
	fs.DurationVar(&f.poll, "poll-interval", defaultPoll, "how often to get a task that is not streamed")
	fs.StringVar(&f.record, "record", "", "write what crosses the wire to `FILE`, for parley open")
	fs.StringVar(&f.findings, "findings", "", "write every finding of the rules to `FILE`, one JSON object per line")
	a.net.flags(fs)
}

// flagAliases are other spellings of flags.
func flagAliases(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "return-immediately", "no-wait":
		name = "async"
	case "watch":
		name = "wait"
	}
	return pflag.NormalizedName(name)
}

// check refuses invalid values from any source.
func (f *callFlags) check() error {
	switch {
	case f.ref == "":
		return usage("No agent was named: give --agent-card with a URL or a card file, or --endpoint, or set A2ACLI_AGENT_CARD.")
	case f.output != "text" && f.output != "json":
		return usage("The value of --output is neither text nor json.")
	case f.timeout < 0:
		return usage("The value of --timeout is negative.")
	case f.poll <= 0:
		return usage("The value of --poll-interval must be greater than 0.")
	}
	if err := checkTransports(f.transports); err != nil {
		return err
	}
	if f.version == "" {
		return nil
	}
	d, ok := a2a.ParseVersion(f.version)
	if !ok {
		return usage("The value of --a2a-version is not one of 1.0, 0.3, 0.2 and 0.1.")
	}
	f.dialect = d
	return nil
}

// parseBinding returns the binding that a word names, empty if it names none.
func parseBinding(word string) a2a.Binding {
	switch strings.ToUpper(strings.TrimSpace(word)) {
	case "JSONRPC", "JSON-RPC":
		return a2a.BindingJSONRPC
	case "HTTP+JSON", "REST":
		return a2a.BindingREST
	case "GRPC":
		return a2a.BindingGRPC
	default:
		return ""
	}
}

// checkTransports refuses words that name no binding.
func checkTransports(words []string) error {
	if slices.Contains(bindings(words), "") {
		return usage("The value of --transport is not one of JSONRPC, HTTP+JSON and GRPC.")
	}
	return nil
}

// bindings returns the bindings that words name.
func bindings(words []string) []a2a.Binding {
	var list []a2a.Binding
	for _, w := range words {
		list = append(list, parseBinding(w))
	}
	return list
}

// again returns the flags that a command continuing this one needs.
func (f *callFlags) again() string {
	ref := shellReference(f.ref)
	if f.ref == "-" {
		ref = "REF"
	}
	return strings.Join(append([]string{" --agent-card", ref}, f.extra...), " ")
}

// remember stores the given flags that the next command needs too, without credentials.
func (f *callFlags) remember(c *cobra.Command) {
	f.extra = nil
	if c.Flags().Changed("insecure") {
		f.extra = append(f.extra, "--insecure")
	}
	for _, pin := range []string{"dialect", "endpoint", "tenant"} {
		if fl := c.Flags().Lookup(pin); fl != nil && fl.Changed {
			word := shellWord
			if pin == "endpoint" {
				word = shellReference
			}
			f.extra = append(f.extra, "--"+pin+" "+word(fl.Value.String()))
		}
	}
	if fl := c.Flags().Lookup("extension"); fl != nil && fl.Changed {
		if list, many := fl.Value.(pflag.SliceValue); many {
			for _, uri := range list.GetSlice() {
				f.extra = append(f.extra, "--extension "+shellWord(uri))
			}
		}
	}
	if c.Flags().Changed("a2a-version") {
		f.extra = append(f.extra, "--a2a-version "+shellWord(f.version))
	}
}

// shellReference quotes a URL or another name of an agent for a POSIX shell, with variables in
// place of its secrets.
func shellReference(ref string) string {
	if a2a.MaskReference(ref) == ref {
		return shellWord(ref)
	}
	return line(curl.Reference(ref))
}

// shellWord quotes a word for a POSIX shell if it needs that.
func shellWord(s string) string {
	s = line(s)
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,", r)
	})
	if plain && s[0] != '-' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
