package form

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/a2a/jsontok"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Send sends the answer: a JSON value, and the secret values in it.
	Send struct {
		Data    json.RawMessage
		Secrets []string
	}
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane. The input stays.
	Close struct{}
)

func (Send) intent()    {}
func (Refused) intent() {}
func (Close) intent()   {}

// A Pane shows a form. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	from  model.Form
	ask   Ask
	asked asked
	doc   *document
	root  *node
	count int    // number of nodes
	cut   bool   // the schema has more values than the form
	why   string // why there is no form, empty if there is one

	rows        []*node // nodes on the screen; the row that sends follows
	typeahead   string  // typed beginning of a choice
	input       field.Field
	raw         field.Area
	cutText     string   // text that was cut last from the JSON
	asJSON      bool     // the user edits JSON
	masks       []string // secrets for which masks stand in the JSON
	initialJSON string   // the JSON before the user changed it
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{input: field.New(st, field.Options{}), raw: field.NewArea(st, 0), root: &node{}}
	p.Table = p.actions()
	p.Base = sheet.New(st, &p.input)
	p.input.Focus()
	return p
}

// SetSize sets the size in cells.
func (p *Pane) SetSize(w, h int) {
	p.Base.SetSize(w, h)
	p.raw.SetWidth(max(1, p.W))
	p.raw.SetHeight(max(1, p.H-footRows))
}

// An Ask is who asks what with a form.
type Ask struct {
	Key      string // differs between forms
	Agent    string // its name
	Task     bool   // a task asks, not the card
	Question string // as the agent wrote it
}

// Open shows the form of a schema. If that form is open already, its input stays.
func (p *Pane) Open(from model.Form, ask Ask) {
	if p.doc != nil && bytes.Equal(from.Schema, p.from.Schema) && ask.Key == p.ask.Key {
		return
	}
	p.Forget()
	p.from, p.ask, p.asked = from, ask, asked{}
	p.doc = &document{refs: map[string]jsontok.Node{}}
	if err := p.doc.doc.Parse(from.Schema); err != nil {
		p.why = "The schema is not JSON; write the answer as JSON."
	}
	p.build(from.Values)
	if p.why == "" && (p.root.kind == kindJSON || len(p.rows) == 0) {
		p.why = "The schema names no fields that a form can show; write the answer as JSON."
	}
	if p.why != "" {
		p.toRaw()
	}
}

// build creates the nodes from initial values.
func (p *Pane) build(values json.RawMessage) {
	p.count, p.cut = 0, false
	p.root = p.make("", p.doc.doc.Root(), true, nil)
	p.root.open = true
	var v jsontok.Doc
	if len(values) > 0 && v.Parse(values) == nil {
		p.fill(p.root, v.Root())
	}
	p.show()
	p.List = list.Cursor{}
	p.load()
}

// Forget clears the form, so that no secret stays longer than needed.
func (p *Pane) Forget() {
	p.doc, p.root, p.rows, p.why, p.asJSON, p.List = nil, &node{}, nil, "", false, list.Cursor{}
	p.from, p.ask, p.masks = model.Form{}, Ask{}, nil
	p.input.Reset()
	p.raw.Reset()
	p.cutText = ""
}

// show computes the visible rows. A root that is neither a group nor a list is the only row.
func (p *Pane) show() {
	if p.rows = p.root.visible(p.rows[:0]); p.root.kind != kindGroup && p.root.kind != kindList {
		p.rows = append(p.rows, p.root)
	}
	p.List.Move(0, len(p.rows)+1)
}

// current returns the node at the cursor, nil at the row that sends.
func (p *Pane) current() *node {
	if p.List.At < len(p.rows) {
		return p.rows[p.List.At]
	}
	return nil
}

// isTyped reports whether the user types the value of a node.
func isTyped(f *node) bool {
	return f != nil && f.kind != kindChoice && f.kind != kindGroup && f.kind != kindList && f.kind != kindFixed
}

// inLine replaces characters that would end the input's line, outLine restores them.
var (
	inLine  = strings.NewReplacer("\r\n", "␊", "\n", "␊", "\r", "␊", "\t", "␉")
	outLine = strings.NewReplacer("␊", "\n", "␉", "\t")
)

// load copies the value of the current node into the input.
func (p *Pane) load() {
	f := p.current()
	p.input.Reset()
	if !isTyped(f) {
		return
	}
	p.input.SetMasked(f.secret)
	p.input.SetHint(strings.Join(f.limits(), ", "))
	p.input.SetValue(canvas.SanitizeLine(inLine.Replace(f.text)))
}

// store copies the input into the current node if it changed.
func (p *Pane) store() {
	if f := p.current(); isTyped(f) && p.input.Value() != canvas.SanitizeLine(inLine.Replace(f.text)) {
		f.text = outLine.Replace(p.input.Value())
	}
}

// moveTo checks the current node and moves the cursor to row i.
func (p *Pane) moveTo(i int) {
	if f := p.current(); f != nil && f.present() {
		f.problem = f.check()
	}
	p.List.Go(i, len(p.rows)+1)
	p.typeahead = ""
	p.load()
}

// Typing reports whether letters are text.
func (p *Pane) Typing() bool { return true }

// Paste inserts the pasted text.
func (p *Pane) Paste(msg tea.PasteMsg) {
	switch f := p.current(); {
	case p.asJSON:
		p.raw.InsertString(canvas.Sanitize(ansi.Strip(msg.Content)))
	case isTyped(f):
		p.input.Paste(inLine.Replace(msg.Content))
		p.store()
	}
}

// next goes to the next row, and sends from the last one.
func (p *Pane) next() Intent {
	if p.current() == nil {
		return p.send()
	}
	p.moveTo(p.List.At + 1)
	return nil
}

// change changes a value that is not typed: it selects a choice by steps further, adds an item to a
// list, or opens a group.
func (p *Pane) change(by int) Intent {
	switch f := p.current(); f.kind {
	case kindChoice:
		at, n := f.pick, len(f.choices)
		if by < 0 {
			at = max(at, 0) // the last choice comes before none and before the first
		}
		p.pick(f, (at+by+n)%n)
	case kindList:
		return p.addHere()
	case kindGroup:
		p.toggle(f)
	}
	return nil
}

// toggle opens a group, or removes one that is optional.
func (p *Pane) toggle(f *node) {
	if f.open && !f.required {
		f.open, f.problem = false, ""
	} else {
		p.expand(f)
	}
	p.show()
}

// addHere adds an item to the list at the cursor.
func (p *Pane) addHere() Intent {
	list := p.current()
	if list.kind != kindList {
		list = list.item().parent
	}
	item := p.add(list)
	if item == nil {
		return Refused{"The form has reached its limit: " + keys.Name(p.Of(editAsJSON)) + " continues in JSON."}
	}
	list.problem = ""
	p.show()
	i := slices.Index(p.rows, item)
	if item.kind == kindGroup {
		i++ // the item itself has no input
	}
	p.moveTo(i)
	return nil
}

// removeHere removes the item at the cursor, or clears the value.
func (p *Pane) removeHere() Intent {
	f := p.current()
	if item := f.item(); item != nil {
		item.remove()
		p.show()
		p.moveTo(p.List.At)
		return nil
	}
	f.text, f.pick, f.problem = "", -1, ""
	if f.kind == kindGroup && !f.required {
		f.open = false
	}
	p.show()
	p.load()
	return nil
}

// pick selects a choice, none if i is negative.
func (p *Pane) pick(f *node, i int) {
	p.typeahead, f.problem, f.pick = "", "", i
}

// choose selects the next choice that begins with the typed letters.
func (p *Pane) choose(f *node, text string) {
	ahead := p.typeahead
	p.typeahead, f.problem = "", ""
	if text == "" {
		return
	}
	letter := strings.ToLower(text)
	if !f.seek(ahead+letter, max(f.pick, 0)) {
		ahead = ""
		f.seek(letter, f.pick+1)
	}
	p.typeahead = ahead + letter
}

// seek selects the next choice that begins with typed, starting at index from.
func (f *node) seek(typed string, from int) bool {
	n := len(f.choices)
	for i := range n {
		if at := (from + i) % n; strings.HasPrefix(strings.ToLower(f.label(at)), typed) {
			f.pick = at
			return true
		}
	}
	return false
}

// label returns the text of choice i.
func (f *node) label(i int) string {
	c := &f.choices[i]
	if c.label != "" {
		return c.label
	}
	var text string
	if json.Unmarshal(c.value, &text) == nil {
		return line(text)
	}
	return line(string(c.value))
}

// send checks the input and returns the intent that sends it. JSON is sent as written if it is
// valid.
func (p *Pane) send() Intent {
	if p.asJSON {
		data := p.typedJSON()
		if why := syntaxError(data); why != "" {
			return Refused{why}
		}
		return Send{Data: compact(data), Secrets: p.secretsIn(data)}
	}
	if bad := p.root.checkAll(); bad != nil {
		if i := slices.Index(p.rows, bad); i >= 0 {
			p.List.At = i
			p.load()
		}
		return Refused{p.label(bad) + " " + bad.problem + "; " + keys.Name(p.Of(editAsJSON)) + " sends JSON as you write it."}
	}
	var b bytes.Buffer
	p.root.write(&b)
	return Send{Data: b.Bytes(), Secrets: p.root.secrets(nil)}
}
