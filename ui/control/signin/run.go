package signin

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/challenge"
	"parley/internal/crash"
	"parley/internal/signin"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/control"
	pane "parley/ui/signin"
)

// A run is one sign-in under way. Its work runs beside Update and reports by events.
type run struct {
	agent    a2a.AgentID
	origin   string
	refused  *model.Turn  // to be repeated, nil if there is none
	secrets  *a2a.Secrets // of the session
	cancel   context.CancelFunc
	canceled bool
	pasted   chan string
	progress pane.Progress
	events   chan event
}

// An event is what a run reports: a page, what became of opening it, or its end.
type event struct {
	page    *signin.Page
	browser string
	over    bool
	result  signin.Result
	err     error
}

// maxEvents is how many events a run reports at most: two for each step, and its end.
const maxEvents = 2*pane.MaxInputs + 1

// start begins a sign-in.
func (c *Controller) start(in pane.Start) tea.Cmd {
	a := c.host.State().Agent(c.agent)
	if c.run != nil || a == nil || in.Way >= len(c.offers) {
		return c.host.Say("A sign-in is under way: finish or cancel it first.", true)
	}
	origin := a2a.TypedOrigin(a.Ref)
	ctx, cancel := context.WithCancel(c.ctx)
	r := &run{agent: a.ID, origin: origin, secrets: c.o.Secrets, cancel: cancel, pasted: make(chan string, 1), events: make(chan event, maxEvents)}
	if f := c.refusal(a); f != nil {
		r.refused = f.turn
	}
	way := c.offers[in.Way].Way
	r.progress = pane.Progress{Agent: a.Name(), Words: way.Words()}
	c.run, c.said, c.bad = r, "", false
	plan := c.plan(a, way, in.Values)
	service, browse := c.o.Service, c.o.Browse
	return func() tea.Msg {
		go r.work(ctx, service, browse, plan)
		return c.next(r)()
	}
}

// A task is one step of a way with what was entered for it.
type task struct {
	step         signin.Step
	user, secret string
	settings     signin.Settings
	challenge    challenge.Challenge
	refused      string // URL of the request that was refused with the challenge
}

// plan returns the steps of a way with the values that were entered: what is entered first, so that
// nobody signs in on a page in vain.
func (c *Controller) plan(a *model.Agent, way signin.Way, values []string) (plan []task) {
	challenges, refused := c.challenges(a.ID)
	next := func() string {
		if len(values) == 0 {
			return ""
		}
		v := values[0]
		values = values[1:]
		return v
	}
	for _, s := range way {
		t := task{step: s, settings: c.o.Service.Settings()}
		if len(challenges) > 0 {
			t.challenge, t.refused = challenges[0], refused
		}
		switch s.Kind {
		case signin.Certificate:
			continue
		case signin.Key, signin.Bearer:
			t.secret = next()
		case signin.Basic:
			t.user, t.secret = next(), next()
		default:
			t.settings.ClientID = next()
			t.settings.Secret = cmp.Or(next(), t.settings.Secret)
			t.settings.Scopes = strings.Fields(next())
		}
		plan = append(plan, t)
	}
	slices.SortStableFunc(plan, func(x, y task) int { return x.rank() - y.rank() })
	return plan
}

func (t *task) rank() int {
	if entered(t.step.Kind) {
		return 0
	}
	return 1
}

// entered reports whether credentials of a kind are entered.
func entered(k signin.Kind) bool {
	return k == signin.Key || k == signin.Basic || k == signin.Bearer
}

// work satisfies all steps.
func (r *run) work(ctx context.Context, service Service, browse func(string) error, plan []task) {
	defer crash.Guard()
	end := event{over: true}
	for _, t := range plan {
		var got signin.Result
		var err error
		if entered(t.step.Kind) {
			got, err = patiently(ctx, func() (signin.Result, error) { return service.Enter(r.origin, &t.step, t.user, t.secret) })
		} else {
			got, err = service.Authorize(ctx, &signin.Login{
				Origin: r.origin, Step: t.step, Challenge: t.challenge, Refused: t.refused, Session: r.secrets, Settings: t.settings, Pasted: r.pasted,
				Show: func(p signin.Page) { r.show(p, browse) },
			})
		}
		if err != nil {
			end.err = err
			break
		}
		got.Doubts = append(end.result.Doubts, got.Doubts...)
		got.Unkept = cmp.Or(end.result.Unkept, got.Unkept)
		end.result = got
	}
	r.events <- end
}

// patiently waits for a call that cannot be canceled, such as one of the keyring, until ctx ends.
func patiently(ctx context.Context, call func() (signin.Result, error)) (signin.Result, error) {
	type answer struct {
		result signin.Result
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		defer crash.Guard()
		result, err := call()
		done <- answer{result, err}
	}()
	select {
	case got := <-done:
		return got.result, got.err
	case <-ctx.Done():
		return signin.Result{}, ctx.Err()
	}
}

// show reports a page, and opens it if it is in a browser of this machine.
func (r *run) show(p signin.Page, browse func(string) error) {
	if p.Code != "" || browse == nil {
		r.events <- event{page: &p, browser: map[bool]string{true: "Open it with any browser.", false: ""}[p.Code == ""]}
		return
	}
	r.events <- event{page: &p, browser: "Parley opens a browser."}
	go func() {
		defer crash.Guard()
		said := "A browser shows the page."
		if err := browse(p.URL); err != nil {
			said = "No browser could be opened: " + err.Error() + "."
		}
		r.events <- event{browser: said}
	}()
}

// next waits for the next event of a run.
func (c *Controller) next(r *run) tea.Cmd {
	return func() tea.Msg {
		e := <-r.events
		return control.DoneMsg(func() tea.Cmd {
			c.host.Touch()
			if e.over {
				return c.finish(r, &e)
			}
			if e.page != nil {
				p := &r.progress
				p.URL, p.Host, p.Code, p.Complete, p.Back = e.page.URL, e.page.Host, e.page.Code, e.page.Complete, e.page.Back
			}
			r.progress.Browser = e.browser
			return c.next(r)
		})
	}
}

// cancel ends the sign-in under way.
func (c *Controller) cancel() {
	if c.run == nil {
		return
	}
	c.run.canceled = true
	c.run.cancel()
	c.run = nil
	c.said, c.bad = "The sign-in was canceled; nothing was kept.", true
	c.host.Touch()
}

// paste hands over the address of the last page.
func (c *Controller) paste(address string) tea.Cmd {
	if c.run == nil {
		return nil
	}
	select {
	case c.run.pasted <- address:
		return nil
	default:
		return c.host.Say("An address was pasted already; Parley is using it.", true)
	}
}

// browse opens a page, outside of Update.
func (c *Controller) browse(url string) tea.Cmd {
	open := c.o.Browse
	if open == nil {
		return c.host.Say("There is no browser here: copy the address and open it elsewhere.", true)
	}
	return func() tea.Msg {
		err := open(url)
		return control.DoneMsg(func() tea.Cmd {
			if err != nil {
				return c.host.Say("No browser could be opened: "+canvas.SanitizeLine(err.Error())+".", true)
			}
			return nil
		})
	}
}

// finish takes the end of a run.
func (c *Controller) finish(r *run, e *event) tea.Cmd {
	r.cancel()
	mine := c.run == r
	if mine {
		c.run = nil
	}
	switch {
	case e.err != nil && r.canceled:
		return nil
	case e.err != nil:
		c.bad = true
		c.said = sentence(e.err.Error())
		if errors.Is(e.err, context.Canceled) {
			c.said = "The sign-in was stopped; nothing was kept."
		}
		if c.host.Shows(SheetName) {
			return c.load(nil)
		}
		return c.host.Say("You are not signed in to "+c.host.AgentName(r.agent)+": "+canvas.SanitizeLine(c.said), true)
	case !mine && c.run != nil: // it succeeded although it was canceled, and another one has begun
		return c.load(nil)
	}
	if r.canceled { // it succeeded all the same, but who canceled it does not expect a message to be sent
		r.refused = nil
	}
	return tea.Batch(c.load(nil), c.use(r, &e.result))
}

// sentence makes a clause a sentence.
func sentence(clause string) string {
	first, rest := clause[:min(1, len(clause))], clause[min(1, len(clause)):]
	return strings.ToUpper(first) + strings.TrimSuffix(rest, ".") + "."
}
