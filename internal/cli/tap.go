package cli

import (
	"crypto/rand"
	"encoding/hex"
	"net"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/a2a/socks"
	"parley/session/journal"
	"parley/session/listen"
	"parley/session/tap"
	"parley/session/tap/relay"
)

// tapFlags are the flags of parley tap.
type tapFlags struct {
	to, names, listens []string // the first name and the first address are those of the first agent
	fault, readyFile   string
	headless           bool
	gate               gate
	findings           string
}

// A tapSpec is a tap that is to be started.
type tapSpec struct {
	name, to, listen string
	faults           []tap.Fault
}

// tapCommand shows what other clients and agents say to each other.
func (a *app) tapCommand() *cobra.Command {
	var f tapFlags
	var w workbench
	c := &cobra.Command{
		Use:   "tap --to URL",
		Short: "Show what other clients and an agent say to each other",
		Long: `Stand between clients and an agent: the tap has an address of this machine,
passes on byte for byte what comes there, and shows it in the workbench, live.
Clients use that address in place of the agent's. The card that they get there
leads through the tap, and so do the webhooks that they register.

Several --to start several taps, and so do the [[tap]] tables of config.toml,
or of the file of --config. What an agent asks of the next one is joined into
one tree then. Without a screen, or with --headless, a line on standard error
tells of each exchange, and the session is recorded.`,
		Example: "  parley tap --to http://localhost:9999\n  parley tap --to http://localhost:9999 --to http://localhost:8001\n" +
			"  parley tap --to http://localhost:9999 --headless --fail-on finding:error\n  parley tap --config chain.toml",
		Args: argCount(0, "parley tap takes its agents behind --to: parley tap --to http://localhost:9999."),
		RunE: func(*cobra.Command, []string) error { return a.tap(&f, w) },
	}
	fs := c.Flags()
	fs.StringArrayVar(&f.to, "to", nil, "stand in front of the agent at this `URL`; repeatable")
	fs.StringArrayVar(&f.names, "name", nil, "call the tap this `name` (default: the host of the agent); repeatable, in the order of --to")
	fs.StringArrayVar(&f.listens, "listen", nil, "listen at this `HOST:PORT` (default: a free port that only this machine reaches); repeatable, in the order of --to")
	fs.StringVar(&f.fault, "fault", "", "inject `FAULTS` into what passes: "+faultHelp)
	fs.StringVar(&f.readyFile, "ready-file", "", "write the addresses to this `FILE` as JSON when all taps listen")
	fs.BoolVar(&f.headless, "headless", false, "open no screen: tell of each exchange on standard error")
	fs.StringVar(&f.findings, "findings", "", "without a screen: write every finding of the rules to `FILE`, as JSON lines")
	f.gate.flags(fs)
	w.flags(fs)
	a.net.flags(fs)
	return c
}

// tap starts the taps, with a screen if there is one.
func (a *app) tap(f *tapFlags, w workbench) error {
	specs, err := a.tapSpecs(f)
	if err != nil {
		return err
	}
	if err := f.gate.check(); err != nil {
		return err
	}
	judged := len(f.gate.failOn) > 0 || f.gate.junit != "" || f.gate.sarif != "" || a.net.fromFlags["findings"]
	if f.headless || judged || a.needTerminal(a.streams.In) != nil {
		return a.tapHeadless(f, w, specs)
	}
	w.taps, w.tapsReady = specs, f.readyFile
	return a.workbench(w, nil)
}

// tapSpecs returns the taps that the command line names, else those of config.toml.
func (a *app) tapSpecs(f *tapFlags) (specs []tapSpec, err error) {
	faults, err := parseTapFaults(f.fault)
	if err != nil {
		return nil, usage("A value of --fault is wrong: %s.", err)
	}
	if len(f.names) > max(len(f.to), 1) || len(f.listens) > max(len(f.to), 1) {
		return nil, usage("There are more of --name or --listen than of --to: each belongs to the --to in the same place.")
	}
	for i, to := range f.to {
		s := tapSpec{to: to, faults: faults}
		if i < len(f.names) {
			s.name = f.names[i]
		}
		if i < len(f.listens) {
			s.listen = f.listens[i]
		}
		if _, _, err := listen.Split(s.listen); err != nil {
			return nil, usage("A value of --listen cannot be used: %s.", err)
		}
		specs = append(specs, s)
	}
	if len(specs) > 0 {
		return specs, nil
	}
	for _, t := range a.settings.Taps {
		own, err := parseTapFaults(t.Fault)
		if err != nil {
			return nil, usage("%s: the fault of the tap is wrong: %s.", line(t.Place), err)
		}
		if t.To == "" {
			return nil, usage("%s: the tap names no agent: write to = \"http://localhost:9999\".", line(t.Place))
		}
		if _, _, err := listen.Split(t.Listen); err != nil {
			return nil, usage("%s: the tap cannot listen: %s.", line(t.Place), err)
		}
		specs = append(specs, tapSpec{name: t.Name, to: t.To, listen: t.Listen, faults: append(own, faults...)})
	}
	if len(specs) == 0 {
		return nil, usage("Say in front of which agent the tap stands: parley tap --to http://localhost:9999. Without --to, parley tap starts the [[tap]] tables of config.toml, and it has none.")
	}
	return specs, nil
}

// newTapSet returns the taps of a session, none of which is started yet.
func (a *app) newTapSet(recorder *journal.Recorder, numbers tap.Numbers) *tap.Set {
	return tap.NewSet(tap.SetOptions{
		Tap: tap.Options{
			Recorder: recorder, Now: now, Numbers: numbers, SecretMembers: a.net.members, Public: a2a.PublicNames(a.net.public),
			Codings: codings(), Limits: a.net.limits, Format: grpc.NewFormat(),
		},
		Relay: relay.Options{Token: tapToken(), TargetTLS: a.net.targetTLS, Proxy: http.ProxyFromEnvironment, Socks: socks.Dial},
	})
}

// tapToken makes the token of taps that other machines reach.
func tapToken() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// startTaps starts taps, up to the first that cannot be started.
func (a *app) startTaps(set *tap.Set, specs []tapSpec) error {
	for _, s := range specs {
		state, err := set.Start(a.ctx, s.name, s.to, s.listen)
		if err != nil {
			return misnamed("The tap in front of %q cannot be started: %s.", line(a2a.MaskReference(s.to)), strings.TrimSuffix(line(err.Error()), "."))
		}
		for _, f := range s.faults {
			set.Faults(state.Agent).On(f)
		}
		if host, _, err := net.SplitHostPort(s.listen); err == nil && host != "" && !listen.Loopback(host) {
			a.mildly("the tap %s can be reached from other machines; its address contains a token that clients need", line(state.Name))
		}
	}
	return nil
}

// printTaps prints one line for each tap, and what it injects.
func (a *app) printTaps(list []tap.State) error {
	var p page
	for _, t := range list {
		p.add("Tap: ", line(t.Name), "  ", t.URL, "  in front of ", line(t.Target), "\n")
		if words := tapFaultWords(t.Faults); words != "" {
			p.add("Note: ", line(t.Name), " injects ", words, "\n")
		}
	}
	p.add("Note: clients use the address of a tap in place of the agent's. Ctrl+C ends.\n")
	return a.print(p.b.Bytes())
}

// A readyTap is a tap in the file of --ready-file.
type readyTap struct {
	Name string `json:"name"`
	URL  string `json:"url"`
	To   string `json:"to"`
}

// writeTapsReady writes where the taps listen. The file is complete when it appears under its name.
func writeTapsReady(path string, list []tap.State) error {
	if path == "" {
		return nil
	}
	var all []readyTap
	for _, t := range list {
		all = append(all, readyTap{t.Name, t.URL, t.Target})
	}
	if err := writeReadyFile(path, "taps", all); err != nil {
		return unwritten("ready-file", path, err)
	}
	return nil
}

// tapNames lists taps by their names.
func tapNames(list []tap.State) string {
	var names []string
	for _, t := range list {
		names = append(names, line(t.Name))
	}
	return strings.Join(names, ", ")
}
