package cli

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/a2a/curl"
	"parley/session/engine"
	"parley/session/problem"
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
	record     recordFile
	findings   string
	raw        bool // --output answer prints byte for byte
	answers    bool // --output answer is possible
	lives      bool // --output live is possible
	gate       gate
	save       saveFlags
	hooks      engine.WebhookOptions // where push notifications are received

	waitForAuth bool // a task that waits for credentials is polled until it goes on

	dialect a2a.DialectName // of version
	pins    *a2a.Pins       // those of an agent of the workbench; nil leaves them to the flags
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
	f.record.flags(fs, "write what crosses the wire to `FILE`, for parley open")
	fs.StringVar(&f.findings, "findings", "", "write every finding of the rules to `FILE`, one JSON object per line")
	a.net.flags(fs)
}

// answerFlags defines --raw for a command that gets an answer.
func (a *app) answerFlags(c *cobra.Command, f *callFlags) {
	f.answers = true
	c.Flags().Lookup("output").Usage = "`format` of the output: text, json, or answer for the text of the artifacts alone"
	c.Flags().BoolVar(&f.raw, "raw", false, "with --output answer: byte for byte, not made safe for a terminal")
	f.gate.flags(c.Flags())
}

// drawn adds --output live to a command.
func (f *callFlags) drawn(c *cobra.Command) {
	f.lives = true
	flag := c.Flags().Lookup("output")
	flag.Usage = strings.Replace(flag.Usage, "text, json", "text, live, json", 1)
	flag.Usage = strings.Replace(flag.Usage, "text or json", "text, live or json", 1)
}

// formats are the values of --output.
func (f *callFlags) formats() []string {
	list := []string{"text", "json"}
	if f.answers {
		list = append(list, answerOnly)
	}
	if f.lives {
		list = append(list, drawn)
	}
	return list
}

// noFormat says what a wrong value of --output is.
func (f *callFlags) noFormat() string {
	if list := f.formats(); len(list) > 2 {
		return "none of " + problem.JoinWords(list)
	}
	return "neither text nor json"
}

// flagAliases are other spellings of flags.
func flagAliases(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "return-immediately", "no-wait":
		name = "async"
	case "watch":
		name = "wait"
	case "dir":
		name = "save"
	}
	return pflag.NormalizedName(name)
}

// check refuses invalid values from any source.
func (f *callFlags) check() error {
	switch {
	case f.ref == "":
		return usage("No agent was named: give --agent-card with a URL or a card file, or --endpoint, or set A2ACLI_AGENT_CARD.")
	case !slices.Contains(f.formats(), f.output):
		return usage("The value of --output is %s.", f.noFormat())
	case f.timeout < 0:
		return usage("The value of --timeout is negative.")
	case f.poll <= 0:
		return usage("The value of --poll-interval must be greater than 0.")
	}
	f.stream = f.stream || f.output == drawn
	if err := checkTransports(f.transports); err != nil {
		return err
	}
	if err := f.gate.check(); err != nil {
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
	case "MQTT":
		return a2a.BindingMQTT
	default:
		return ""
	}
}

// checkTransports refuses words that name no binding.
func checkTransports(words []string) error {
	if slices.Contains(bindings(words), "") {
		return usage("The value of --transport is not one of JSONRPC, HTTP+JSON, GRPC and MQTT.")
	}
	return nil
}

// bindings returns the bindings that words name. A URI names a binding that somebody else defined
// (specification 1.0 §5.8), which Parley does not speak: no interface of it is chosen.
func bindings(words []string) []a2a.Binding {
	var list []a2a.Binding
	for _, w := range words {
		if u, err := url.Parse(strings.TrimSpace(w)); err != nil || !u.IsAbs() {
			list = append(list, parseBinding(w))
		}
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
	if c.Flags().Changed("mqtt-plain") {
		f.extra = append(f.extra, "--mqtt-plain")
	}
	for _, name := range []string{"dialect", "endpoint", "tenant", "cacert", "cert", "key", "artifact-gateway", "mqtt-user", "mesh-user"} {
		if fl := c.Flags().Lookup(name); fl != nil && fl.Changed {
			word := shellWord
			if name == "endpoint" || name == "artifact-gateway" {
				word = shellReference
			}
			f.extra = append(f.extra, "--"+name+" "+word(fl.Value.String()))
		}
	}
	for _, name := range []string{"transport", "insecure-host", "tls-fingerprint", "allow-origin", "extension"} {
		fl := c.Flags().Lookup(name)
		if fl == nil || !fl.Changed {
			continue
		}
		if list, many := fl.Value.(pflag.SliceValue); many {
			for _, value := range list.GetSlice() {
				f.extra = append(f.extra, "--"+name+" "+shellWord(value))
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
