package composer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"parley/session"
	"parley/ui/keys"
	"parley/ui/styles"
)

// TargetKind says what a message does where it goes.
type TargetKind uint8

// The kinds of target.
const (
	TargetNew    TargetKind = iota // begins a task
	TargetReply                    // goes to a task at work
	TargetAnswer                   // goes to a task that waits for the person
	TargetFork                     // goes on from an earlier turn
	TargetQueue                    // waits until the turn that is under way is over
)

// A TargetChoice is one place where enter may send the text. Its words may come
// from the network: they are sanitised here.
type TargetChoice struct {
	Kind   TargetKind
	Target session.Target
	Label  string // "reply to task 91c2 (input-required)"
	Note   string // "same task and context"; may be empty, and is cut behind "; " where there is no room
	Warn   string // what may go wrong there; enter sends all the same
	Short  string // how the line names this choice while another one stands: "new task"
	// Why says in one sentence why nothing can be sent there, such as "Travel
	// Desk is not reachable". A choice with a Why is never reached by the key.
	Why string
	// Secret is set where a secret is asked for: what is written for it is hidden.
	Secret bool
}

// An Intent is something that the composer asks its user to do. It is one of
// [Send], [Run], [Refused], [Retarget], [Edit], [Attach], [Change], [Tune], [Detached],
// [Hidden], [Resume] and [Unqueue], or nil when the key was dealt with.
type Intent interface{ intent() }

// Send asks to send Draft to Target. The composer is empty afterwards; when
// nothing of the message was accepted, [Composer.Restore] brings it back.
type Send struct {
	Draft  Draft
	Target session.Target
	Ghost  bool // the text is the suggestion, taken by enter alone
	Queued bool // not now, but when the turn that is under way is over
}

// Refused reports that enter could not send, and why. The text is kept.
type Refused struct{ Why string }

// Retarget reports that the person chose target Index.
type Retarget struct{ Index int }

// Edit asks to open Text in the person's editor and to give what was saved to
// [Composer.SetValue].
type Edit struct{ Text string }

// Detached reports that a part called Name no longer goes with the text.
type Detached struct{ Name string }

func (Send) intent()     {}
func (Refused) intent()  {}
func (Retarget) intent() {}
func (Edit) intent()     {}
func (Detached) intent() {}

// promptWidth is the width of the prompt glyph and the space behind it.
const promptWidth = 2

// A Composer holds the text of one message until it is sent. It is not safe for
// use by several goroutines.
type Composer struct {
	keys KeyMap
	st   *styles.Styles
	area textarea.Model
	// folds are the pastes that stand as one rune in area.
	folds  folds
	draft  Draft  // but for its text
	cut    string // by the word or to an end of the line, for the key that inserts it
	chosen bool   // the person said whether the draft is a secret
	slash  slash
	search search
	queue  Queue
	beside beside
	past   *History

	targets  []TargetChoice
	selected int
	ghost    string

	w, h    int
	focused bool // area always is: it would take no key otherwise
	top     int  // first of the text's rows in the window
	drawn   drawn
	dirty   bool // the lines must be drawn again
}

// drawn is what was drawn last.
type drawn struct {
	lines  []string
	cursor *tea.Cursor // in the text
}

// New returns an empty composer without a target.
func New(st *styles.Styles) *Composer {
	area := textarea.New()
	area.ShowLineNumbers = false
	area.MaxHeight, area.MaxWidth = 0, 0 // no limit
	area.DynamicHeight = true            // as high as the text; the window is cut here
	area.KeyMap = areaKeys()
	area.SetPromptFunc(promptWidth, func(textarea.PromptInfo) string { return "  " })
	area.SetVirtualCursor(false)
	plain := textarea.StyleState{Base: lipgloss.NewStyle()}
	area.SetStyles(textarea.Styles{
		Focused: plain, Blurred: plain,
		Cursor: textarea.CursorStyle{Shape: tea.CursorBlock, Blink: true},
	})
	area.SetValue("") // takes the height of no text
	area.Focus()
	return &Composer{keys: DefaultKeyMap(), st: st, area: area, folds: folds{}, past: &History{}, dirty: true}
}

// SetStyles changes the looks.
func (c *Composer) SetStyles(st *styles.Styles) { c.st, c.dirty = st, true }

// SetSize sets the size in cells. [Composer.Height] tells how high it wants to be.
func (c *Composer) SetSize(w, h int) {
	if w, h = max(w, 0), max(h, 0); w == c.w && h == c.h {
		return
	}
	if w != c.w {
		c.area.SetWidth(w)
	}
	c.w, c.h, c.dirty = w, h, true
}

// Focus lets the composer show the cursor.
func (c *Composer) Focus() { c.focused, c.dirty = true, true }

// Blur takes the cursor away. Text stays, and what a search has found.
func (c *Composer) Blur() {
	c.StopSearch(true)
	c.focused, c.dirty = false, true
}

// Focused reports whether the composer has the cursor.
func (c *Composer) Focused() bool { return c.focused }

// sameChoice reports whether two choices are the same, as they are shown and as they
// are sent.
func sameChoice(a, b TargetChoice) bool {
	return a.Kind == b.Kind && a.Label == b.Label && a.Note == b.Note && a.Warn == b.Warn && a.Short == b.Short && a.Why == b.Why && a.Secret == b.Secret &&
		a.Target.Agent == b.Target.Agent && a.Target.Conversation == b.Target.Conversation &&
		a.Target.ContextID == b.Target.ContextID && a.Target.TaskID == b.Target.TaskID &&
		slices.Equal(a.Target.References, b.Target.References)
}

// SetTargets sets where a message may go and which of these stands now.
func (c *Composer) SetTargets(choices []TargetChoice, selected int) {
	defer c.settle() // the draft may be another one
	selected = max(0, min(selected, len(choices)-1))
	if selected == c.selected && slices.EqualFunc(choices, c.targets, sameChoice) {
		return
	}
	c.targets, c.selected, c.dirty = choices, selected, true
}

// Selected returns the index of the target that stands now.
func (c *Composer) Selected() int { return c.selected }

// SetGhost sets the suggestion shown behind an empty or matching text; empty for
// none. It may come from the network.
func (c *Composer) SetGhost(text string) {
	if text != c.ghost {
		c.ghost, c.dirty = text, true
	}
}

// SetHistory sets what was written before to the agent. The composer adds what it
// sends and clears.
func (c *Composer) SetHistory(h *History) {
	c.StopSearch(true)
	h.stop()
	c.past, c.dirty = h, true
}

// Value returns the text exactly as it would be sent.
func (c *Composer) Value() string { return c.folds.whole(c.area.Value()) }

// Empty reports whether there is nothing to send.
func (c *Composer) Empty() bool { return len(c.draft.Parts) == 0 && c.blank() }

// blank reports whether there is no text.
func (c *Composer) blank() bool { return c.area.LineCount() <= 1 && c.area.Value() == "" }

// SetValue replaces the text and puts the cursor behind it. What goes with it stays.
func (c *Composer) SetValue(s string) {
	c.area.Reset()
	clear(c.folds)
	c.insert(s)
}

// Paste inserts s at the cursor, whole.
func (c *Composer) Paste(s string) {
	if c.search.on {
		c.look(c.search.words + firstLine(s[:min(len(s), maxWords)]))
		return
	}
	c.insert(c.guarded(s))
}

func (c *Composer) insert(s string) {
	held := c.area.Value()
	c.folds.prune(held)
	s = c.folds.hold(s, utf8.RuneCountInString(held), strings.Count(held, "\n"))
	c.area.InsertString(s)
	c.dirty = true
	c.Reoffer()
}

// why returns the sentence that forbids sending, empty if enter sends.
func (c *Composer) why() string {
	if len(c.targets) == 0 {
		return "no agent is open"
	}
	return c.targets[c.selected].Why
}

// next returns the choice that the target key goes to, -1 if there is none.
func (c *Composer) next() int {
	for n := 1; n < len(c.targets); n++ {
		i := (c.selected + n) % len(c.targets)
		if c.targets[i].Why == "" {
			return i
		}
	}
	return -1
}

// rest returns what of the ghost is not written yet, if what is written begins
// it and the cursor stands behind.
func (c *Composer) rest() string {
	if c.draft.Secret && !c.Empty() { // it would tell what is written
		return ""
	}
	if c.ghost == "" || c.commanding() || len(c.queue.Waiting) > 0 || !c.atEnd() {
		return ""
	}
	rest, _ := strings.CutPrefix(c.ghost, c.Value())
	if rest == c.ghost && !c.Empty() {
		return ""
	}
	return rest
}

// atEnd reports whether the cursor stands behind the last character.
func (c *Composer) atEnd() bool {
	if c.area.Line() != c.area.LineCount()-1 {
		return false
	}
	held := c.area.Value()
	last := held[strings.LastIndexByte(held, '\n')+1:]
	return c.area.Column() >= utf8.RuneCountInString(last)
}

// wordBefore reports whether anything but space stands before the cursor.
func (c *Composer) wordBefore() bool {
	lines := strings.SplitAfter(c.area.Value(), "\n")
	row := min(c.area.Line(), len(lines)-1)
	line := []rune(lines[row])
	before := strings.Join(lines[:row], "") + string(line[:min(c.area.Column(), len(line))])
	return strings.TrimSpace(before) != ""
}

// send is what enter does.
func (c *Composer) send() Intent {
	if c.commanding() {
		return c.run()
	}
	if c.resumes() {
		return Resume{}
	}
	d, ghost := c.Draft(), false
	if d.Empty() && c.ghost != "" && len(c.queue.Waiting) == 0 {
		d.Text, ghost = c.ghost, true
		d.Secret = d.Secret && c.chosen // the agent knows it
	}
	if len(d.Message()) == 0 {
		return nil
	}
	if why := c.why(); why != "" {
		return Refused{Why: why}
	}
	queued := c.targets[c.selected].Kind == TargetQueue
	c.past.Add(d)
	c.SetDraft(d.fresh())
	if !ghost && !d.Secret && strings.HasPrefix(d.Text, literal) {
		d.Text = d.Text[1:]
	}
	return Send{Draft: d, Target: c.targets[c.selected].Target, Ghost: ghost, Queued: queued}
}

// Key deals with a key press.
func (c *Composer) Key(msg tea.KeyPressMsg) Intent {
	defer c.settle()
	c.dirty = true
	if c.search.on && c.searchKey(msg) {
		return nil
	}
	if in, ok := c.partKey(msg); ok {
		return in
	}
	switch {
	case key.Matches(msg, c.keys.Send):
		return c.send()
	case key.Matches(msg, c.keys.Newline):
		c.insert("\n")
	case key.Matches(msg, c.keys.Target):
		if i := c.next(); i >= 0 {
			c.selected = i
			return Retarget{Index: i}
		}
	case key.Matches(msg, c.keys.Hide):
		c.Hide(!c.draft.Secret)
		return Hidden{On: c.draft.Secret}
	case key.Matches(msg, c.keys.Editor) && c.draft.Secret:
		return Refused{Why: "An editor would write the secret into a file: " + c.keys.Hide.Help().Key + " shows it here."}
	case key.Matches(msg, c.keys.Editor):
		return Edit{Text: c.Value()}
	case c.choose(msg):
	case key.Matches(msg, c.keys.Search):
		c.Search("")
	case key.Matches(msg, c.keys.Ghost) && c.rest() != "":
		c.insert(c.rest())
	case key.Matches(msg, c.keys.Previous) && c.lastQueued() >= 0:
		return Unqueue{Index: c.lastQueued()}
	case key.Matches(msg, c.keys.Previous) && c.at().Y == 0:
		c.recall(c.past.previous)
	case key.Matches(msg, c.keys.Next) && c.at().Y >= c.area.Height()-1:
		c.recall(c.past.next)
	case key.Matches(msg, c.area.KeyMap.WordBackward) && !c.wordBefore():
		c.area.MoveToBegin() // textarea would look for a word for ever
	case key.Matches(msg, c.keys.Yank):
		c.insert(c.cut)
	case msg.Text != "":
		c.insert(msg.Text)
	default:
		c.edit(msg)
	}
	return nil
}

// edit gives the textarea a key that moves the cursor or deletes. What goes by the word or
// to an end of the line is kept for the key that inserts it again, unless it is a secret.
func (c *Composer) edit(msg tea.KeyPressMsg) {
	before, k := c.area.Value(), &c.area.KeyMap
	line := strings.Split(before, "\n")[c.area.Line()]
	for range keys.AreaSteps(msg, *k, line, c.area.Column()) {
		c.area, _ = c.area.Update(msg) // its commands blink a cursor that is not used
	}
	if key.Matches(msg, k.DeleteWordBackward, k.DeleteWordForward, k.DeleteBeforeCursor, k.DeleteAfterCursor) && !c.draft.Secret {
		if cut := keys.Removed(before, c.area.Value()); cut != "" {
			c.cut = c.folds.whole(cut)
		}
	}
	c.Reoffer()
}

// choose takes the keys of the list of what the command could go on as, and reports
// whether msg was one.
func (c *Composer) choose(msg tea.KeyPressMsg) bool {
	listed := len(c.shown()) > 0
	switch {
	case key.Matches(msg, c.keys.Complete) && c.Completes():
		c.complete()
	case listed && key.Matches(msg, c.keys.Previous):
		c.move(-1)
	case listed && key.Matches(msg, c.keys.Next):
		c.move(1)
	case listed && key.Matches(msg, c.keys.Close):
		c.slash.hidden = true
	default:
		return false
	}
	return true
}

func (c *Composer) recall(step func(current Draft) (Draft, bool)) {
	if d, ok := step(c.Draft()); ok {
		d.Options = c.draft.Options
		c.SetDraft(d)
		c.slash.hidden = true // the keys go on through the history
	}
}
