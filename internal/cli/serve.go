package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/internal/outlet"
	"parley/internal/units"
	"parley/session/listen"
	"parley/session/serve"
)

// serveFlags are the flags of parley serve.
type serveFlags struct {
	listen, readyFile, fault string
	speed                    float64
	fast                     bool
}

// serveCommand makes recorded agents answer again.
func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve SESSION|DIR",
		Short: "Answer as the agents of a recorded session did",
		Long: `Each agent of a recorded session, or of every session in a folder, gets an
address on this machine and answers as it did when it was recorded: with the
same bytes, pauses, errors and broken connections, and the ids of this run.

` + strings.Join(serve.Rules, "\n"),
		Example: "  parley serve trip.jsonl\n  parley serve trip.jsonl --fast --listen 127.0.0.1:8080 --ready-file up.json\n  parley serve trip.jsonl --fault cut:5",
		Args:    argCount(1, "parley serve takes one session file, or a folder of them."),
		RunE:    func(_ *cobra.Command, args []string) error { return a.serve(&f, args[0]) },
	}
	fs := c.Flags()
	fs.StringVar(&f.listen, "listen", "127.0.0.1:0", "serve the first agent at this `HOST:PORT`, and every other at the next port; port 0 takes free ones")
	fs.StringVar(&f.readyFile, "ready-file", "", "write the addresses to this `FILE` as JSON when all agents answer")
	fs.Float64Var(&f.speed, "speed", 1, "divide the recorded pauses by this `NUMBER`")
	fs.BoolVar(&f.fast, "fast", false, "answer without pauses")
	fs.StringVar(&f.fault, "fault", "", "add `FAULTS` to every stream: cut:EVENTS, stall:DURATION, duplicate, reorder")
	return c
}

// options returns what the flags say.
func (f *serveFlags) options() (serve.Options, error) {
	faults, err := serve.ParseFaults(f.fault)
	if err != nil {
		return serve.Options{}, usage("%s.", sentence(err.Error()))
	}
	const fastest = 1e6
	if !(f.speed > 0 && f.speed <= fastest) {
		return serve.Options{}, usage("--speed must be more than 0: 2 is twice as fast; --fast does not wait at all.")
	}
	o := serve.Options{Listen: f.listen, Speed: f.speed, Faults: faults, Format: grpc.NewFormat(), GRPC: grpc.Serve}
	if f.fast {
		o.Speed = 0
	}
	return o, nil
}

// serve serves the sessions of a path until the program is asked to end.
func (a *app) serve(f *serveFlags, path string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	path, err = a.sessionFile(path)
	if err != nil {
		return err
	}
	sessions, err := a.sessionsToServe(path, map[a2a.Binding]a2a.Format{a2a.BindingGRPC: o.Format})
	if err != nil {
		return err
	}
	var lock sync.Mutex
	o.Log = func(text string) {
		lock.Lock()
		defer lock.Unlock()
		_, _ = a.streams.Err.WriteString(time.Now().Format("15:04:05.000 ") + line(text) + "\n") // there is no other place to report it
	}
	server, err := serve.Start(a.ctx, sessions, o)
	if err != nil {
		return misnamed("%s.", sentence(err.Error()))
	}
	defer server.Close()
	if host, _, err := net.SplitHostPort(f.listen); err == nil && host != "" && !listen.Loopback(host) {
		a.note("Warning", "%s is reachable from other machines: everybody who reaches it can read the recording.", line(f.listen))
	}
	if err := a.printServed(server, path, f.fault); err != nil {
		return err
	}
	if f.readyFile != "" {
		if err := writeReady(f.readyFile, server.Agents); err != nil {
			return unwritten("ready-file", f.readyFile, err)
		}
	}
	<-a.ctx.Done()
	return nil
}

// sessionsToServe reads a session file, or all in a folder.
func (a *app) sessionsToServe(path string, formats map[a2a.Binding]a2a.Format) ([]*serve.Session, error) {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() || err != nil && !errors.Is(err, fs.ErrNotExist) {
		s, err := serve.Load(path, formats)
		if err != nil {
			return nil, notOpened(path, err)
		}
		a.warnOf(s, path)
		return []*serve.Session{s}, nil
	}
	if err != nil {
		return nil, notOpened(path, err)
	}
	entries, err := os.ReadDir(path) // sorted by name, which begins with the time
	if err != nil {
		return nil, notRead(path, err, "name a session, or a folder of sessions")
	}
	var all []*serve.Session
	for _, e := range slices.Backward(entries) { // the newest first
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".jsonl") {
			continue
		}
		name := filepath.Join(path, e.Name())
		s, err := serve.Load(name, formats)
		if err != nil {
			a.note("Warning", "%s is not served: %s.", line(name), strings.TrimSuffix(line(err.Error()), "."))
			continue
		}
		a.warnOf(s, name)
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, misnamed("The folder %s contains no session that can be served: name a session, or another folder of sessions.", line(path))
	}
	return all, nil
}

// warnOf prints what cannot be served of a session, up to a few sentences.
func (a *app) warnOf(s *serve.Session, path string) {
	const most = 5
	for _, w := range s.Warnings[:min(len(s.Warnings), most)] {
		a.note("Warning", "%s: %s", line(path), line(w))
	}
	if more := len(s.Warnings) - most; more > 0 {
		a.note("Warning", "%s: %s more.", line(path), units.Plural(more, "such fault"))
	}
}

// printServed prints one line for each agent, and the rules.
func (a *app) printServed(s *serve.Server, path, faults string) error {
	var p page
	session := ""
	for _, agent := range s.Agents {
		if agent.Session != session && agent.Session != path {
			p.add("Session: ", line(agent.Session), "\n")
		}
		session = agent.Session
		words := []string{line(agent.Name), agent.URL}
		if agent.GRPC != "" {
			words = append(words, "grpc://"+agent.GRPC)
		}
		p.add("Agent: ", strings.Join(words, "  "), "  ", promptList(agent.Prompts), "\n")
		for _, notice := range agent.Notices {
			p.add("Note: ", line(agent.Name), ": ", line(notice), "\n")
		}
	}
	for _, rule := range serve.Rules {
		p.add("Rule: ", rule, "\n")
	}
	if faults != "" {
		p.add("Note: every stream has these faults: ", line(faults), "\n")
	}
	p.add("Note: Ctrl+C ends. Every request is a line on standard error.\n")
	return a.print(p.b.Bytes())
}

// promptList lists the prompts of an agent in a few words.
func promptList(prompts []string) string {
	const most, longest = 5, 40
	if len(prompts) == 0 {
		return "no prompts"
	}
	var words []string
	for _, prompt := range prompts[:min(len(prompts), most)] {
		if runes := []rune(line(prompt)); len(runes) > longest {
			words = append(words, "“"+string(runes[:longest-1])+"…”")
		} else {
			words = append(words, "“"+string(runes)+"”")
		}
	}
	if more := len(prompts) - most; more > 0 {
		words = append(words, "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(words, ", ")
}

// A readyAgent is an agent in the file of --ready-file.
type readyAgent struct {
	Session string   `json:"session"`
	Name    string   `json:"name"`
	URL     string   `json:"url"`
	Card    string   `json:"card"`
	GRPC    string   `json:"grpc,omitempty"`
	Prompts []string `json:"prompts"`
}

// writeReady writes where the agents are. The file is complete when it appears under its name.
func writeReady(path string, served []serve.Served) error {
	var agents []readyAgent
	for _, s := range served {
		prompts := s.Prompts
		if prompts == nil {
			prompts = []string{}
		}
		agents = append(agents, readyAgent{s.Session, s.Name, s.URL, s.Card, s.GRPC, prompts})
	}
	return writeReadyFile(path, "agents", agents)
}

// writeReadyFile writes a file that says who listens, as JSON: the number of the process, and a list
// under a name. The file is complete when it appears under its name.
func writeReadyFile(path, name string, list any) error {
	text, err := json.MarshalIndent(map[string]any{"pid": os.Getpid(), name: list}, "", "  ")
	if err != nil {
		return err
	}
	return outlet.Replace(path, append(text, '\n'))
}
