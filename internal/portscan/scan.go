package portscan

import (
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"parley/a2a"
	"parley/internal/crash"
)

const (
	// patience is how long one port may take for everything.
	patience = 500 * time.Millisecond
	// atOnce is how many ports are asked at the same time.
	atOnce = 16
	// maxCard is the longest card that is read, in bytes.
	maxCard = 1 << 20
)

// paths are where cards are: since 0.3, and before.
var paths = []string{"/.well-known/agent-card.json", "/.well-known/agent.json"}

// An Agent is one that answers at a port of this machine.
type Agent struct {
	Port int
	URL  string // which opens it
	// Name is that on its card, unchanged: hostile text.
	Name string
	// Dialect is the version that it speaks and Binding how, as its card says; empty if it does not.
	Dialect, Binding string
}

// Scan asks every port for a card, several at a time, and passes each agent on as it answers, from
// one goroutine at a time, until all have answered, none can any more, or ctx ends.
func Scan(ctx context.Context, ports []int, userAgent string, put func(Agent)) {
	todo := make(chan int)
	var workers sync.WaitGroup
	var one sync.Mutex
	for range min(atOnce, len(ports)) {
		workers.Go(func() {
			defer crash.Guard()
			for port := range todo {
				if agent, ok := ask(ctx, port, userAgent); ok && ctx.Err() == nil {
					one.Lock()
					put(agent)
					one.Unlock()
				}
			}
		})
	}
	for _, port := range ports {
		if ctx.Err() != nil {
			break
		}
		todo <- port
	}
	close(todo)
	workers.Wait()
}

// ask asks one port for a card, at the second place only if it answered at the first.
func ask(ctx context.Context, port int, userAgent string) (Agent, bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := &http.Client{
		Transport: &http.Transport{
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: 64 << 10,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, "tcp4", host(port))
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for _, path := range paths {
		body, answered := get(ctx, client, "http://"+host(port)+path, userAgent)
		if agent, ok := read(body, port); ok {
			return agent, true
		}
		if !answered {
			break
		}
	}
	return Agent{}, false
}

// host returns the address of a port of this machine.
func host(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// get returns the body of a good answer, and whether there was any answer.
func get(ctx context.Context, client *http.Client, url, userAgent string) (body []byte, answered bool) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, false
	}
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set("Accept", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return nil, false
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, true
	}
	body, err = io.ReadAll(io.LimitReader(resp.Body, maxCard+1))
	if err != nil || len(body) > maxCard {
		return nil, true
	}
	return body, true
}

// read returns the agent that a card describes.
func read(body []byte, port int) (Agent, bool) {
	if len(body) == 0 {
		return Agent{}, false
	}
	url := "http://" + host(port)
	cards, _, failure := a2a.ParseCard(body, url+paths[0])
	if failure != nil || len(cards) == 0 || cards[0].DisplayName() == "" {
		return Agent{}, false
	}
	agent := Agent{Port: port, URL: url, Name: cards[0].DisplayName()}
	if p := a2a.Detect(cards[0]); p.Problem == "" {
		agent.Dialect, agent.Binding = p.Dialect.Number(), p.Binding.String()
	}
	return agent, true
}
