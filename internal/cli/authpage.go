package cli

import (
	"bufio"
	"context"
	"runtime"
	"strings"
	"time"

	"parley/internal/crash"
	"parley/internal/signin"
	"parley/internal/units"
)

// show shows what the user has to open, or ends the sign-in where nobody could.
func (l *login) show(ctx context.Context, end context.CancelCauseFunc, page signin.Page, pasted chan<- string) {
	if page.Code == "" {
		l.showPage(ctx, end, page.URL, pasted)
		return
	}
	l.app.note("Open", "%s", line(page.URL))
	l.app.note("Code", "%s", line(page.Code))
	if page.Complete != "" {
		l.app.note("Or open", "%s", line(page.Complete))
	}
}

const (
	// browserTime is how long a sign-in with a browser waits where there is no terminal.
	browserTime = 5 * time.Minute
	// browserStart is how long a program may take to say that it cannot open a browser. Some programs
	// end when their browser does.
	browserStart = 3 * time.Second
)

// browse opens an address in a browser. The error is a clause.
func (l *login) browse(address string) error {
	opened := make(chan error, 1)
	go func() {
		defer crash.Guard()
		opened <- opener(runtime.GOOS, l.app.env.get)(address)
	}()
	select {
	case err := <-opened:
		return err
	case <-time.After(browserStart):
		return nil
	}
}

// showPage opens the page of the authorization server, and reads the address of the last page where
// there is no browser that could come back.
func (l *login) showPage(ctx context.Context, end context.CancelCauseFunc, address string, pasted chan<- string) {
	a := l.app
	a.note("Open", "%s", address) // it is to be copied whole, and was made by a library
	if !l.flags.noBrowser {
		if l.browse(address) == nil {
			a.note("Note", "A browser shows it. Parley waits until you have signed in; ctrl+c ends.")
			if !l.asks() { // and nobody may be there to press it
				time.AfterFunc(browserTime, func() {
					defer crash.Guard()
					end(l.unasked("Nobody signed in within " + units.Duration(browserTime) + "."))
				})
			}
			return
		}
		if !l.asks() {
			end(l.unasked("Nobody can sign in here: no browser could be opened, and there is no terminal."))
			return
		}
		a.note("Note", "No browser could be opened.")
	}
	a.note("Note", "Sign in there with any browser. If its last page cannot be reached, copy the address of that page here and press enter.")
	go func() {
		defer crash.Guard()
		text, err := bufio.NewReader(a.streams.In).ReadString('\n')
		if err != nil && strings.TrimSpace(text) == "" {
			return
		}
		select {
		case pasted <- text:
		case <-ctx.Done():
		}
	}()
}
