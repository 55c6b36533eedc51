// Package demo starts the agents that come with the program. They are Travel Desk
// (A2A 1.0), Scribe (0.3), Old Clerk (0.1.0) and Saboteur (1.0, misbehaving). Each is
// a real HTTP server on a loopback port that plays one of the scripts in this
// directory; nothing leaves the machine.
//
// The examples of each card's skills are the prompts to try, the best one first.
// Agents that ask for something put likely answers, an array of strings, into
// the metadata member suggestedReplies of their message.
package demo

import (
	"context"
	_ "embed"
	"sync"

	"golang.org/x/tools/txtar"

	"parley/a2a/a2atest"
)

var (
	//go:embed travel.txtar
	travel []byte
	//go:embed scribe.txtar
	scribe []byte
	//go:embed clerk.txtar
	clerk []byte
	//go:embed saboteur.txtar
	saboteur []byte
)

// An Agent is one running agent of the demo.
type Agent struct {
	Name string
	URL  string // finds the card
}

// Start starts all agents, in the order in which they are shown. They run until stop is called,
// which returns when they are gone, or until ctx ends. With a pace of 1 they answer as fast as
// users expect of an agent.
func Start(ctx context.Context, o a2atest.Options) (agents []Agent, stop func(), err error) {
	var running []*a2atest.Agent
	stop = func() {
		var all sync.WaitGroup
		for _, a := range running {
			all.Go(a.Close)
		}
		all.Wait()
	}
	scripts, err := Scripts()
	if err != nil {
		return nil, nil, err
	}
	for _, s := range scripts {
		a, err := a2atest.Start(ctx, s, o)
		if err != nil {
			stop()
			return nil, nil, err
		}
		running = append(running, a)
		agents = append(agents, Agent{Name: s.Name, URL: a.URL})
	}
	publishCatalog(running, agents)
	return agents, stop, nil
}

// Scripts returns the scripts of the agents in the order of [Start].
func Scripts() ([]*a2atest.Script, error) {
	europe := europe()
	london, lisbon, reykjavik := place{-0.1, 51.5}, place{-9.1, 38.7}, place{-21.9, 64.1}
	sources := []struct {
		name    string
		archive []byte
		extra   []txtar.File
	}{
		{"travel", travel, []txtar.File{
			picture("london.png", routeMap(europe, london)),
			picture("lisbon.png", routeMap(europe, lisbon)),
			picture("reykjavik.png", routeMap(europe, reykjavik)),
			picture("icon.png", icon(routeColour)),
		}},
		{"scribe", scribe, []txtar.File{picture("icon.png", icon(seaColour))}},
		{"clerk", clerk, nil},
		{"saboteur", saboteur, []txtar.File{picture("icon.png", icon(markColour))}},
	}
	scripts := make([]*a2atest.Script, 0, len(sources))
	for _, src := range sources {
		s, err := a2atest.Parse(src.name, src.archive, src.extra...)
		if err != nil {
			return nil, err
		}
		scripts = append(scripts, s)
	}
	return scripts, nil
}
