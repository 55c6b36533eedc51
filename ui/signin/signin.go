// Package signin is the pane in which the user signs in to an agent. It says what the agent
// asks for and who asks, lists the ways to satisfy that, and has a field for everything that
// is to be entered. While a sign-in is under way it shows what to open. It also lists who
// the user is, for which agent and until when.
//
// A [Pane] gets words and returns what the user asks for as an [Intent]. It knows neither the
// engine nor who signs in. Secrets are masked while the user types, and cleared when they are used
// or the pane closes.
package signin

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Input is something that the user enters for a way.
type Input struct {
	Label    string
	Secret   bool   // it is masked
	Optional bool   // it may stay empty
	Value    string // filled in at first; only if it is no secret
	Hint     string // shown while it is empty
}

// A Way is one way to sign in.
type Way struct {
	Words  string // what satisfies it, all of it
	Source string // who asks for it
	Inputs []Input
	Does   string // what happens when it is taken
	Why    string // in a clause, why it cannot be taken, empty if it can
	ByHand bool   // it leads to the sheet for headers
}

// An Identity is who the user is for an agent.
type Identity struct {
	Origin string
	Here   bool // that of the agent on the screen
	User   string
	Kind   string
	Issuer string
	Scopes string
	For    string // the audience of its token
	Valid  string // until when, in words
	Kept   string // where its secret is
	Doubts []string
	Renews bool
}

// A Progress is a sign-in under way.
type Progress struct {
	Agent    string
	Words    string // of its way
	URL      string // to be opened, empty until it is known
	Host     string // of the URL
	Code     string // to be entered there, empty if nothing is
	Complete string // the URL with the code in it, if there is one
	Back     string // where the browser comes back to, empty if it does not
	Browser  string // what became of opening it, a sentence
}

// Content is what the pane shows.
type Content struct {
	Agent  string // its name
	Origin string // that gets the credentials
	// Demand are sentences about what the agent asks for, the newest refusal first.
	Demand     []string
	Ways       []Way
	Identities []Identity
	Problem    string    // why the identities cannot be read, a sentence
	Progress   *Progress // nil if no sign-in is under way
	Said       string    // how the last one ended, a sentence
	Bad        bool      // it failed
	Why        string    // why nothing can be entered, empty if it can
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Start takes a way, with a value for each of its inputs.
	Start struct {
		Way    int
		Values []string
	}
	// ByHand leads to the sheet for headers.
	ByHand struct{}
	// Cancel ends the sign-in under way.
	Cancel struct{}
	// Paste gives the address of the last page.
	Paste struct{ Address string }
	// Browse opens a URL in a browser.
	Browse struct{ URL string }
	// Copy copies a text that What names.
	Copy struct{ Text, What string }
	// Renew gets another token for an identity.
	Renew struct{ Index int }
	// SignOut forgets an identity.
	SignOut struct{ Index int }
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Start) intent()   {}
func (ByHand) intent()  {}
func (Cancel) intent()  {}
func (Paste) intent()   {}
func (Browse) intent()  {}
func (Copy) intent()    {}
func (Renew) intent()   {}
func (SignOut) intent() {}
func (Refused) intent() {}
func (Close) intent()   {}

// MaxInputs is how many inputs a way can have.
const MaxInputs = 8

// A group is a part of the pane that can have the focus.
type group uint8

const (
	onWays group = iota
	onInputs
	onIdentities
)

// A Pane signs in. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	content Content
	at      group
	ways    list.Cursor
	input   int // the focused one
	inputs  [MaxInputs]field.Field
	labels  [MaxInputs]string // of the inputs
	pasted  field.Field       // the address of the last page
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{}
	p.Table = p.actions()
	all := []*field.Field{&p.pasted}
	for i := range p.inputs {
		p.inputs[i] = field.New(st, field.Options{Masked: true})
		all = append(all, &p.inputs[i])
	}
	p.pasted = field.New(st, field.Options{Masked: true})
	p.Base = sheet.New(st, all...)
	return p
}

// Open shows a content from its beginning: the first way, and its first input.
func (p *Pane) Open(c Content) {
	p.Forget()
	p.labels = [MaxInputs]string{}
	p.content, p.ways, p.List, p.input = c, list.Cursor{}, list.Cursor{}, 0
	p.choose(0)
	p.at = onWays
	if w := p.way(); w != nil && w.Why == "" {
		for i, in := range w.Inputs {
			if !in.Optional && in.Value == "" {
				p.at, p.input = onInputs, i
				break
			}
		}
	}
	p.focus()
}

// Update shows a newer content. What was typed stays as long as the ways are the same.
func (p *Pane) Update(c Content) {
	same := slices.EqualFunc(p.content.Ways, c.Ways, func(a, b Way) bool {
		return a.Words == b.Words && a.ByHand == b.ByHand && slices.EqualFunc(a.Inputs, b.Inputs, func(x, y Input) bool { return x.Label == y.Label })
	})
	started := p.content.Progress == nil && c.Progress != nil
	p.content = c
	if !same {
		p.ways.Go(p.ways.At, len(c.Ways))
		p.choose(p.ways.At)
	}
	if started {
		p.pasted.Reset()
	}
	p.List.Go(p.List.At, len(c.Identities))
	if p.at == onIdentities && len(c.Identities) == 0 {
		p.at = onWays
	}
	p.focus()
}

// way returns the chosen way, nil if there is none.
func (p *Pane) way() *Way {
	if p.ways.At < len(p.content.Ways) {
		return &p.content.Ways[p.ways.At]
	}
	return nil
}

// choose chooses a way and fills in its inputs. A value that was typed for an input with the same
// label stays.
func (p *Pane) choose(i int) {
	typed := map[string]string{}
	for n, label := range p.labels {
		typed[label] = p.inputs[n].Value()
	}
	p.ways.Go(i, len(p.content.Ways))
	p.input = 0
	w := p.way()
	for n := range p.inputs {
		p.inputs[n].Reset()
		p.labels[n] = ""
		if w == nil || n >= len(w.Inputs) {
			continue
		}
		in := &w.Inputs[n]
		p.labels[n] = in.Label
		p.inputs[n].SetMasked(in.Secret)
		p.inputs[n].SetHint(in.Hint)
		p.inputs[n].SetValue(cmp.Or(typed[in.Label], in.Value))
	}
}

// numInputs returns how many inputs the chosen way has.
func (p *Pane) numInputs() int {
	w := p.way()
	if w == nil || w.Why != "" {
		return 0
	}
	return min(len(w.Inputs), MaxInputs)
}

// focus gives the focus to the input that has it, or to none.
func (p *Pane) focus() {
	switch {
	case p.content.Progress != nil && p.content.Progress.Back != "":
		p.Focus(&p.pasted)
	case p.content.Progress == nil && p.at == onInputs && p.input < p.numInputs():
		p.Focus(&p.inputs[p.input])
	default:
		if p.at == onInputs {
			p.at = onWays
		}
		p.Focus(nil)
	}
}

// field returns the focused input, nil if there is none.
func (p *Pane) field() *field.Field {
	switch {
	case p.content.Progress != nil:
		if p.content.Progress.Back != "" {
			return &p.pasted
		}
		return nil
	case p.at == onInputs && p.input < p.numInputs():
		return &p.inputs[p.input]
	}
	return nil
}

// Typing reports whether letters are text.
func (p *Pane) Typing() bool { return p.field() != nil }

// Masked reports whether what is typed is masked.
func (p *Pane) Masked() bool {
	in := p.field()
	return in != nil && in.Masked()
}

// Paste inserts the pasted text into the focused input, or into the first one of the chosen way.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if p.field() == nil && p.content.Progress == nil && p.numInputs() > 0 {
		p.at = onInputs
		p.focus()
	}
	if in := p.field(); in != nil {
		in.Paste(strings.TrimSpace(msg.Content))
	}
}

// identity returns the selected identity, nil unless the list of them has the focus.
func (p *Pane) identity() *Identity {
	if p.content.Progress == nil && p.at == onIdentities && p.List.At < len(p.content.Identities) {
		return &p.content.Identities[p.List.At]
	}
	return nil
}

// step moves the focus to the next or the previous group or input.
func (p *Pane) step(by int) {
	stops := []func(){func() { p.at = onWays }}
	at := 0
	for i := range p.numInputs() {
		if p.at == onInputs && p.input == i {
			at = len(stops)
		}
		stops = append(stops, func() { p.at, p.input = onInputs, i })
	}
	if len(p.content.Identities) > 0 {
		if p.at == onIdentities {
			at = len(stops)
		}
		stops = append(stops, func() { p.at = onIdentities })
	}
	stops[(at+by+len(stops))%len(stops)]()
	p.focus()
}

// move moves the cursor up or down: in the list that has the focus, and from its end to what stands
// beside it.
func (p *Pane) move(by int) {
	switch p.at {
	case onWays:
		if to := p.ways.At + by; to >= 0 && to < len(p.content.Ways) {
			p.choose(to)
			return
		}
	case onIdentities:
		if to := p.List.At + by; to >= 0 && to < len(p.content.Identities) {
			p.List.At = to
			return
		}
	}
	p.step(by)
}

// noWay says why the chosen way cannot be taken, empty if it can.
func (p *Pane) noWay() string {
	w := p.way()
	switch {
	case w == nil:
		return "There is no way to sign in."
	case p.content.Why != "":
		return p.content.Why
	case w.Why != "":
		return "This way is not possible: " + strings.TrimSuffix(w.Why, ".") + "."
	}
	return ""
}

// submit returns the intent that takes the chosen way.
func (p *Pane) submit() Intent {
	w := p.way()
	if w.ByHand {
		return ByHand{}
	}
	values := make([]string, p.numInputs())
	for i := range values {
		values[i] = strings.TrimSpace(p.inputs[i].Value())
		if values[i] == "" && !w.Inputs[i].Optional {
			moved := p.at != onInputs || p.input != i
			p.at, p.input = onInputs, i
			p.focus()
			if moved {
				return nil
			}
			return Refused{"Type or paste the " + w.Inputs[i].Label + " first."}
		}
	}
	for i := range values {
		if w.Inputs[i].Secret {
			p.inputs[i].Reset()
		}
	}
	return Start{p.ways.At, values}
}
