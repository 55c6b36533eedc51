package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"parley/internal/config"
	"parley/internal/roster"
	"parley/internal/signature"
	"parley/ui"
)

// app is one run of the program: what its commands share.
type app struct {
	ctx        context.Context
	args       []string
	path       string // the command that runs, as in "parley task get"
	command    *cobra.Command
	sources    config.Options // of its settings
	env        environment
	streams    Streams
	net        network
	settings   config.Settings
	rosterFile *roster.File // nil until it is needed
	theme      ui.Theme     // of the screen
	dotenv     dotenvFile   // the .env file that nobody named
	warnings   []string     // about settings that are not used
	notes      []string     // about where settings come from
	json       bool         // failures are reported in JSON
	inside     bool         // the workbench is on the terminal, see within
	after      waiting      // of the engine
	beforeErr  func()       // completes the line on the terminal before standard error writes there; may be nil

	verifying  sync.Once
	deliveries *signature.Deliveries // made by the first use

	embedded embedded

	tokensLock sync.Mutex
	tokens     map[string]*tokenCommand // by their texts
}

// A waiting is the type of [time.After].
type waiting func(time.Duration) <-chan time.Time

// environment is the process's environment, KEY=value.
type environment []string

// get returns the value of a variable, the last one if it occurs twice.
func (e environment) get(name string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(e[i], "="); ok && k == name {
			return v
		}
	}
	return ""
}

// note writes one line for the user to standard error.
func (a *app) note(label, format string, args ...any) {
	var p page
	p.field(label, fmt.Sprintf(format, args...))
	a.tell(&p)
}

// tell writes a page to standard error.
func (a *app) tell(p *page) {
	if p.b.Len() == 0 {
		return
	}
	if a.beforeErr != nil {
		a.beforeErr()
	}
	_, _ = a.streams.Err.Write(p.b.Bytes()) // there is no other place to report it
}

// print writes to standard output.
func (a *app) print(b []byte) error {
	if _, err := a.streams.Out.Write(b); err != nil {
		return writeFault(err)
	}
	return nil
}

// newID returns a random UUID, version 4.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func now() time.Time { return time.Now() }

// isTerminal reports whether f is a terminal. Other devices, such as /dev/null, are not.
func isTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }
