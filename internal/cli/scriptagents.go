package cli

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
	"parley/a2a/grpc"
	"parley/internal/units"
	"parley/session/problem"
	"parley/session/script"
	"parley/session/serve"
)

// scriptAgents are the agents that a script opens: live ones, those of the demo, and recorded ones,
// which run here until they are closed.
type scriptAgents struct {
	app      *app
	ctx      context.Context
	folder   string // of the script, where its recordings are
	fast     bool
	newID    func() string  // of the demo's agents; nil for random ones
	fallback *serve.Session // nil without --fallback

	demo    []demo.Agent
	servers map[string]*serve.Server // by file; empty is the fallback
	closers []func()
}

func (a *app) newScriptAgents(f *demoFlags, folder string) (*scriptAgents, error) {
	s := &scriptAgents{app: a, ctx: a.ctx, folder: folder, fast: f.fast, servers: map[string]*serve.Server{}}
	if f.fallback == "" {
		return s, nil
	}
	path, err := a.sessionFile(f.fallback)
	if err != nil {
		return nil, err
	}
	if s.fallback, err = serve.Load(path, servedFormats()); err != nil {
		return nil, notOpened(f.fallback, err)
	}
	return s, nil
}

// servedFormats render the recorded messages that are not JSON.
func servedFormats() map[a2a.Binding]a2a.Format {
	return map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()}
}

// close ends the agents.
func (s *scriptAgents) close() {
	for _, end := range s.closers {
		end()
	}
	s.closers = nil
}

// reference returns where to find what a step opens, and starts it if it runs here. The problem
// is a sentence.
func (s *scriptAgents) reference(step *script.Step, speed float64) (ref, problem string) {
	ref, problem = step.Reference(s.app.env.get)
	if problem != "" {
		return "", problem
	}
	opened := *step
	opened.Ref = ref
	switch opened.Source() {
	case script.Demo:
		return s.demoAgent(step.Agent, speed)
	case script.Recording:
		return s.recordedAgent(ref, step.Agent, speed)
	}
	if err := s.app.checkReference(ref); err != nil {
		return "", asFault(err).message
	}
	if err := s.app.confine(ref); err != nil {
		return "", asFault(err).message
	}
	return ref, ""
}

// demoAgent returns the address of an agent of the demo.
func (s *scriptAgents) demoAgent(name string, speed float64) (ref, problem string) {
	if s.demo == nil {
		agents, stop, err := demo.Start(s.ctx, a2atest.Options{Pace: s.pace(1 / speed), NewID: s.newID})
		if err != nil {
			return "", "The agents of the demo cannot be started: " + causeOf(err) + "."
		}
		s.app.embedded.add(agents)
		s.demo, s.closers = agents, append(s.closers, stop)
	}
	names := make([]string, len(s.demo))
	for i, a := range s.demo {
		names[i] = a.Name
	}
	i, problem := agentNamed("The demo", names, name)
	if problem != "" {
		return "", problem
	}
	return s.demo[i].URL, ""
}

// pace returns a pace, 0 without pauses.
func (s *scriptAgents) pace(pace float64) float64 {
	if s.fast {
		return 0
	}
	return pace
}

// recordedAgent serves a recording and returns the address of one of its agents.
func (s *scriptAgents) recordedAgent(file, name string, speed float64) (ref, problem string) {
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.folder, path)
	}
	if s.servers[path] == nil {
		session, err := serve.Load(path, servedFormats())
		if err != nil {
			return "", line(file) + " cannot be played: " + strings.TrimSuffix(line(err.Error()), ".") + "."
		}
		if problem := s.serve(path, session, speed); problem != "" {
			return "", problem
		}
	}
	return s.served(path, line(file), name)
}

// instead returns the address of the agent of the fallback that stands in for the one that a step
// opens: the one that was recorded at the same address, else the one of the same name, else the
// first. name is that of its card, empty if it is not known.
func (s *scriptAgents) instead(open *script.Step, name string, speed float64) (ref, problem string) {
	if s.servers[""] == nil {
		if problem := s.serve("", s.fallback, speed); problem != "" {
			return "", problem
		}
	}
	if open != nil {
		if ref := s.recordedAt(open); ref != "" {
			return ref, ""
		}
		name = cmp.Or(open.Agent, name)
	}
	if ref, problem = s.served("", "The recording", name); problem == "" {
		return ref, ""
	}
	return s.served("", "The recording", "")
}

// recordedAt returns the address of the agent of the fallback that was recorded where a step opens
// one, empty if there is none. Agents of the demo have other ports each time.
func (s *scriptAgents) recordedAt(open *script.Step) string {
	ref, problem := open.Reference(s.app.env.get)
	if problem != "" || open.Source() != script.Live {
		return ""
	}
	for i := range s.servers[""].Agents {
		if a := &s.servers[""].Agents[i]; a.Ref == a2a.MaskReference(ref) {
			return cmp.Or(a.Card, a.URL)
		}
	}
	return ""
}

// serve makes the agents of a session answer.
func (s *scriptAgents) serve(key string, session *serve.Session, speed float64) (problem string) {
	server, err := serve.Start(s.ctx, []*serve.Session{session}, serve.Options{Speed: s.pace(speed), Format: grpc.NewFormat(), GRPC: grpc.Serve})
	if err != nil {
		return sentence(err.Error()) + "."
	}
	s.servers[key], s.closers = server, append(s.closers, server.Close)
	return ""
}

// served returns the address of a recorded agent.
func (s *scriptAgents) served(key, file, name string) (ref, problem string) {
	agents := s.servers[key].Agents
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.Name
	}
	i, problem := agentNamed(file, names, name)
	if problem != "" {
		return "", problem
	}
	return cmp.Or(agents[i].Card, agents[i].URL), ""
}

// agentNamed returns the agent with a name, or with the only one that contains it; the first one
// without a name.
func agentNamed(where string, names []string, name string) (i int, refusal string) {
	if name == "" {
		return 0, ""
	}
	found := -1
	for i, n := range names {
		switch {
		case strings.EqualFold(n, name):
			return i, ""
		case !strings.Contains(strings.ToLower(n), strings.ToLower(name)):
		case found >= 0:
			found = len(names)
		default:
			found = i
		}
	}
	if found >= 0 && found < len(names) {
		return found, ""
	}
	const most = 8
	shown := slices.Clone(names[:min(len(names), most)])
	if more := len(names) - most; more > 0 {
		shown = append(shown, units.Plural(more, "other agent"))
	}
	return 0, where + " has no agent “" + line(name) + "”: it has " + line(problem.JoinWords(shown)) + "."
}
