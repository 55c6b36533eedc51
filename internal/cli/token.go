package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"parley/internal/outlet"
)

// tokenTime is how long a program may take to print a bearer token: long enough for a
// user to agree in a browser.
const tokenTime = 60 * time.Second

// maxToken is the longest bearer token that is accepted, in bytes.
const maxToken = 64 << 10

// A tokenCommand is a program of the user's own that prints a bearer token. It runs when a
// token is first needed, and again when an agent refuses the current one.
type tokenCommand struct {
	words   []string // the program and its arguments; no shell reads them
	env     []string
	timeout time.Duration
	busy    chan struct{} // holds one element while it runs or the token is in use
	token   string
}

func newTokenCommand(words, env []string) *tokenCommand {
	return &tokenCommand{words: words, env: env, timeout: tokenTime, busy: make(chan struct{}, 1)}
}

// give returns the token; refused is one that an agent did not accept. The error is a clause
// without anything that the program printed.
func (t *tokenCommand) give(ctx context.Context, refused string) (string, error) {
	select {
	case t.busy <- struct{}{}:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	defer func() { <-t.busy }()
	if t.token != "" && t.token != refused {
		return t.token, nil // another caller renewed it meanwhile
	}
	token, err := t.run(ctx)
	if err == nil {
		t.token = token
	}
	return token, err
}

// run runs the program once.
func (t *tokenCommand) run(ctx context.Context) (string, error) {
	name := line(t.words[0])
	limited, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	cmd := outlet.Apart(limited, t.words...)
	var out limitedBuffer
	cmd.Stdout, cmd.Env, cmd.WaitDelay = &out, t.env, time.Second // its standard error may contain secrets
	err := cmd.Run()
	token := strings.TrimSpace(string(out.data))
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case limited.Err() != nil:
		return "", fmt.Errorf("the bearer-command %s printed no token within %v: run it in a shell to see what it waits for", name, t.timeout)
	case errors.As(err, &exit):
		return "", fmt.Errorf("the bearer-command %s failed (%s): run it in a shell to see why", name, exit.ProcessState)
	case err != nil:
		return "", fmt.Errorf("the bearer-command %s cannot be run: check its name in config.toml and PATH", name)
	case token == "":
		return "", fmt.Errorf("the bearer-command %s printed no token: run it in a shell to check it", name)
	case out.full || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return "", fmt.Errorf("the bearer-command %s printed more than one token: it must print only the token", name)
	}
	return token, nil
}

// A limitedBuffer keeps the first bytes that are written to it.
type limitedBuffer struct {
	data []byte
	full bool // there were more
}

// Write accepts everything and keeps what fits.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	room := min(maxToken-len(b.data), len(p))
	b.data, b.full = append(b.data, p[:room]...), b.full || room < len(p)
	return len(p), nil
}

// tokenCommand returns the program with some arguments, one for all uses, so that it runs no
// more often than needed.
func (a *app) tokenCommand(words []string) *tokenCommand {
	if len(words) == 0 {
		return nil
	}
	a.tokensLock.Lock()
	defer a.tokensLock.Unlock()
	key := strings.Join(words, "\x00")
	if a.tokens[key] == nil {
		if a.tokens == nil {
			a.tokens = map[string]*tokenCommand{}
		}
		a.tokens[key] = newTokenCommand(words, a.env)
	}
	return a.tokens[key]
}
