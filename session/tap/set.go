package tap

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/internal/crash"
	"parley/session/tap/relay"
)

// SetOptions are what the taps of a set have in common. The target, the name, the observer and the
// taps elsewhere are those of each tap.
type SetOptions struct {
	Tap   Options
	Relay relay.Options
}

// A Set owns several taps of one session. It is safe for use by several goroutines.
type Set struct {
	o SetOptions

	mu     sync.Mutex
	taps   []*running // in the order in which they were started
	closed bool
}

type running struct {
	tap   *Tap
	relay *relay.Relay
	state State
}

// A State is what is known of a tap of a set.
type State struct {
	Name   string // unique in the set
	Agent  a2a.AgentID
	Target string // of the agent, without secrets
	URL    string // that clients use in place of the agent's
	Counts Counts
	Faults []Fault // that are on
}

// NewSet returns a set without taps.
func NewSet(o SetOptions) *Set {
	if o.Tap.Secrets == nil {
		o.Tap.Secrets = &a2a.Secrets{}
	}
	if o.Tap.Numbers == nil {
		o.Tap.Numbers = &counter{}
	}
	if o.Relay.Sockets == nil {
		o.Relay.Sockets = relay.NewSockets()
	}
	return &Set{o: o}
}

// Start starts a tap in front of an agent. Listen is a host with a port, empty for a free port on
// loopback; an empty name is the host of the agent. The error is a sentence without an end.
func (s *Set) Start(ctx context.Context, name, to, listen string) (State, error) {
	target, err := parseTarget(to)
	if err != nil {
		return State{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return State{}, errors.New("the taps are closed already")
	}
	o := s.o.Tap
	o.Name, o.Target, o.Elsewhere = name, target, s.elsewhere
	if name != "" && slices.ContainsFunc(s.taps, func(r *running) bool { return r.tap.Name() == name }) {
		return State{}, fmt.Errorf("there is a tap named %q already", name)
	}
	gate := &gate{open: make(chan struct{})}
	ro := s.o.Relay
	ro.Target, ro.Listen, ro.Observer = target, listen, gate
	r, err := relay.Start(ctx, ro)
	if err != nil {
		return State{}, err
	}
	gate.tap = New(o)
	gate.tap.At(r.URL())
	close(gate.open)
	one := &running{tap: gate.tap, relay: r, state: State{Name: s.unique(gate.tap.Name()), Agent: gate.tap.Agent(), Target: gate.tap.ref(), URL: r.URL()}}
	s.taps = append(s.taps, one)
	return one.now(), nil
}

// A gate holds exchanges back until the tap is there: an agent is noted in the session only once its
// relay listens.
type gate struct {
	open chan struct{}
	tap  *Tap
}

// Begin waits for the tap.
func (g *gate) Begin(client relay.Client, head relay.Head) (relay.Exchange, relay.Plan) {
	<-g.open
	return g.tap.Begin(client, head)
}

// parseTarget reads the address of an agent.
func parseTarget(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	known := a2a.LooksLikeAddress(text) // a word alone is a flag or a name more often than a host
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || !known || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of an agent: write it as http://host:port", a2a.MaskReference(strings.TrimPrefix(text, "http://")))
	}
	mapped, ok := hostname.Mapped(u)
	if !ok {
		return nil, hostname.Refusal(a2a.ShownHost(u))
	}
	return mapped, nil
}

// unique returns a name that no tap of the set has. The caller holds the lock.
func (s *Set) unique(name string) string {
	for n, word := 2, name; ; n++ {
		if !slices.ContainsFunc(s.taps, func(r *running) bool { return r.state.Name == word }) {
			return word
		}
		word = fmt.Sprintf("%s-%d", name, n)
	}
}

// elsewhere returns the base of the tap in front of an origin, empty if there is none.
func (s *Set) elsewhere(origin string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	to, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	for _, r := range s.taps {
		if sameOrigin(r.tap.o.Target, to) {
			return r.relay.URL()
		}
	}
	return ""
}

// List returns the taps in the order in which they were started.
func (s *Set) List() []State {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]State, 0, len(s.taps))
	for _, r := range s.taps {
		all = append(all, r.now())
	}
	return all
}

func (r *running) now() State {
	state := r.state
	state.Counts, state.Faults = r.tap.Counts(), r.tap.Faults().All()
	return state
}

// Faults returns the faults of the tap of an agent, nil if there is none.
func (s *Set) Faults(agent a2a.AgentID) *Faults {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.taps {
		if r.state.Agent == agent {
			return r.tap.Faults()
		}
	}
	return nil
}

// Stop ends the tap of an agent, and returns when everything is recorded. It reports false if there
// is none.
func (s *Set) Stop(agent a2a.AgentID) bool {
	s.mu.Lock()
	i := slices.IndexFunc(s.taps, func(r *running) bool { return r.state.Agent == agent })
	if i < 0 {
		s.mu.Unlock()
		return false
	}
	r := s.taps[i]
	s.taps = slices.Delete(s.taps, i, i+1)
	s.mu.Unlock()
	r.close()
	return true
}

// Close ends all taps, and returns when everything is recorded.
func (s *Set) Close() {
	s.mu.Lock()
	all := s.taps
	s.taps, s.closed = nil, true
	s.mu.Unlock()
	var work sync.WaitGroup
	for _, r := range all {
		work.Go(crash.Guarded(r.close))
	}
	work.Wait()
}

func (r *running) close() {
	r.relay.Close()
	r.tap.Close()
}
