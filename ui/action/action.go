// Package action is the table of actions of a pane: each row says once which keys an action has,
// what it is called, when it is possible and what it does.
//
// A pane embeds a [Table]. The table presses keys, and fills the footer, the help and the settings
// of keys from its rows, so that nothing else names a key. What an action needs of the moment, its
// words and whether it is possible, is asked when the moment comes: a row has a function for it.
package action

import (
	"cmp"
	"maps"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// A Table contains the actions of a pane in the order of the help. It is not safe for use by
// several goroutines.
type Table[R any] struct {
	rows   []Action[R]
	keys   []*key.Binding // of each row: the default keys, or those that the user chose
	foot   []int          // the rows that the footer names, in its order
	refuse func(why string) R
	modes  []mode[R]
	next   []layer[R]
	live   bool // the help leaves out what is not possible
}

// A layer is a table whose keys follow those of another one while something is on.
type layer[R any] struct {
	on    func() bool
	table *Table[R]
}

// A mode is a table that has the keys while something is on, such as a line that is typed.
type mode[R any] struct {
	on    func() bool
	table *Table[R]
	other func(tea.KeyPressMsg) R
}

// New returns a table. A press of a key whose action is not possible for a reason returns refuse,
// which may be nil if no action has reasons.
func New[R any](refuse func(why string) R, rows ...Action[R]) *Table[R] {
	t := &Table[R]{rows: rows, refuse: refuse, keys: make([]*key.Binding, len(rows))}
	for i, a := range rows {
		b := bound(&a.Row)
		t.keys[i], t.rows[i].ID = &b, a.Known()
		if a.Foot > 0 {
			t.place(i)
		}
	}
	return t
}

// bound returns the keys of a row. Without keys there is only a help text.
func bound(r *Row) key.Binding {
	shown := r.Shown
	if len(r.Keys) == 0 {
		return key.NewBinding(key.WithHelp(shown, r.Does))
	}
	if shown == "" {
		shown = r.Keys[0]
	}
	return key.NewBinding(key.WithKeys(r.Keys...), key.WithHelp(shown, r.Does))
}

// Label returns what a help or a footer shows of something that is no action of a table: an item of
// a menu, a slash command, or an action in other words.
func Label(shown, does string) key.Binding {
	return key.NewBinding(key.WithKeys(shown), key.WithHelp(shown, does))
}

// place puts row i into the order of the footer.
func (t *Table[R]) place(i int) {
	at := len(t.foot)
	for at > 0 && t.rows[t.foot[at-1]].Foot > t.rows[i].Foot {
		at--
	}
	t.foot = slices.Insert(t.foot, at, i)
}

// First returns a table of the actions that come before whatever lies over the panes. It has the keys
// of t.
func (t *Table[R]) First() *Table[R] {
	first := &Table[R]{refuse: t.refuse}
	for i := range t.rows {
		if t.rows[i].First {
			first.rows, first.keys = append(first.rows, t.rows[i]), append(first.keys, t.keys[i])
		}
	}
	return first
}

// While gives all keys to another table while on reports true, and returns t. Keys that the other
// table does not have go to other; nil drops them.
func (t *Table[R]) While(on func() bool, table *Table[R], other func(tea.KeyPressMsg) R) *Table[R] {
	t.modes = append(t.modes, mode[R]{on, table, other})
	return t
}

// SameKeys gives the table the keys of another one with the same rows, also those that the user
// chooses later.
func (t *Table[R]) SameKeys(as *Table[R]) { t.keys = as.keys }

// Live makes the help say how the actions stand at the moment, as the footer does, and returns t.
func (t *Table[R]) Live() *Table[R] {
	t.live = true
	return t
}

// Then lets the keys of another table follow while on reports true, and returns t. The help has
// them in groups of their own; settings get them from the other table.
func (t *Table[R]) Then(on func() bool, table *Table[R]) *Table[R] {
	t.next = append(t.next, layer[R]{on, table})
	return t
}

// mode returns the mode that has the keys, nil if the table itself has them.
func (t *Table[R]) mode() *mode[R] {
	for i := range t.modes {
		if t.modes[i].on() {
			return &t.modes[i]
		}
	}
	return nil
}

// Press runs the first possible action with the pressed key, and reports whether the key was
// one of the table. An action that is not possible for a reason comes before the actions below
// it; one without a reason does not.
func (t *Table[R]) Press(msg tea.KeyPressMsg) (r R, done bool) {
	if m := t.mode(); m != nil {
		if r, done = m.table.Press(msg); !done && m.other != nil {
			r = m.other(msg)
		}
		return r, true
	}
	for i := range t.rows {
		if !key.Matches(msg, *t.keys[i]) {
			continue
		}
		switch s := t.state(i); {
		case !s.Off:
			return t.rows[i].run(msg), true
		case s.Why != "":
			return t.refuse(s.Why), true
		}
	}
	for _, l := range t.next {
		if l.on() {
			if r, done = l.table.Press(msg); done {
				return r, true
			}
		}
	}
	return r, false
}

// Asks returns the key of the action that a press would run if that action asks for a second press.
func (t *Table[R]) Asks(msg tea.KeyPressMsg) (of key.Binding, asks bool) {
	for i := range t.rows {
		if key.Matches(msg, *t.keys[i]) && !t.state(i).Off {
			return *t.keys[i], t.rows[i].Asks && t.state(i).Why == "" // what is refused needs no question
		}
	}
	return key.Binding{}, false
}

// Do runs an action of the table itself as a press of its keys does, for a click that means the
// same: it asks the same conditions. An action to which the key matters does nothing.
func (t *Table[R]) Do(id ID) (r R) {
	for i := range t.rows {
		if t.rows[i].ID != id || t.rows[i].Run == nil {
			continue
		}
		switch s := t.state(i); {
		case !s.Off:
			return t.rows[i].Run()
		case s.Why != "":
			return t.refuse(s.Why)
		}
	}
	return r
}

// run runs an action for a key press.
func (a *Action[R]) run(msg tea.KeyPressMsg) R {
	if a.Press != nil {
		return a.Press(msg)
	}
	return a.Run()
}

// Key is [Table.Press] for panes in which no other key does anything.
func (t *Table[R]) Key(msg tea.KeyPressMsg) R {
	r, _ := t.Press(msg)
	return r
}

// state returns how row i stands.
func (t *Table[R]) state(i int) State {
	if now := t.rows[i].Now; now != nil {
		return now()
	}
	return State{}
}

// Of returns the keys of an action, for texts that name them. No action has no keys.
func (t *Table[R]) Of(id ID) key.Binding {
	if i := t.row(id); i >= 0 {
		return *t.keys[i]
	}
	return key.Binding{}
}

// Standing is [Table.Of] as the action stands: in the words of the moment, and disabled if a press
// has no effect.
func (t *Table[R]) Standing(id ID) key.Binding {
	if i := t.row(id); i >= 0 {
		return t.stands(i, t.state(i))
	}
	return key.Binding{}
}

// row returns the index of an action, -1 if there is none.
func (t *Table[R]) row(id ID) int {
	for i := range t.rows { // without a copy of each row
		if t.rows[i].ID == id {
			return i
		}
	}
	return -1
}

// A Hint is a key that a footer can name.
type Hint struct {
	Keys  key.Binding // in the words of the help
	Place int         // from the left
	Rank  int         // 1 stays longest
	// Short and Wide are the words where there is little room and where there is much, and Least
	// those where nothing else fits. Empty: the words of the help, or Short.
	Short, Wide, Least string
}

// unranked is the rank of the first hint without a rank of its own.
const unranked = 100

// Hints appends the keys that a footer can name now to out.
func (t *Table[R]) Hints(out []Hint) []Hint {
	if m := t.mode(); m != nil {
		return m.table.Hints(out)
	}
	for _, i := range t.foot {
		row, s := &t.rows[i], t.state(i)
		if s.Foot < 0 || !s.works() {
			continue
		}
		h := Hint{Keys: t.stands(i, s), Place: cmp.Or(s.Foot, row.Foot), Rank: cmp.Or(s.Rank, row.Rank), Short: row.Short, Wide: row.Wide}
		if s.Does != "" || s.Short != "" {
			h.Short, h.Wide = s.Short, s.Wide
		}
		h.Rank = cmp.Or(h.Rank, unranked+h.Place)
		h.Least = s.Least
		out = append(out, h)
	}
	for _, l := range t.next {
		if l.on() {
			out = l.table.Hints(out)
		}
	}
	return out
}

// ShortHelp returns the keys of [Table.Hints] in their order, in the words of the help.
func (t *Table[R]) ShortHelp() []key.Binding {
	hints := t.Hints(make([]Hint, 0, len(t.foot)))
	slices.SortStableFunc(hints, func(a, b Hint) int { return cmp.Compare(a.Place, b.Place) })
	out := make([]key.Binding, len(hints))
	for i, h := range hints {
		out[i] = h.Keys
	}
	return out
}

// stands returns the keys of row i as they are shown in a state: in its words, and disabled if a
// press has no effect.
func (t *Table[R]) stands(i int, s State) key.Binding {
	b := *t.keys[i]
	b.SetEnabled(s.works())
	shown := b.Help().Key
	if slices.Contains(b.Keys(), s.Shown) || s.Shown != "" && t.rows[i].Shown != "" {
		shown = s.Shown
	}
	b.SetHelp(shown, cmp.Or(s.Does, b.Help().Desc))
	return b
}

// FullHelp returns the keys of all actions in one group, then those of the tables that follow. The
// words are those of the rows, unless the table is live.
func (t *Table[R]) FullHelp() [][]key.Binding {
	if m := t.mode(); m != nil && t.live {
		return m.table.FullHelp()
	}
	var all []key.Binding
	for i := range t.rows {
		switch {
		case t.rows[i].Passing:
		case t.live || t.rows[i].Live:
			all = append(all, t.stands(i, t.state(i)))
		default:
			all = append(all, *t.keys[i])
		}
	}
	groups := [][]key.Binding{all}
	for _, l := range t.next {
		groups = append(groups, l.table.FullHelp()...)
	}
	return groups
}

// Explained returns the keys of [Table.FullHelp] in one list, and the reasons of those that are not
// possible now, which are disabled, by what the keys do.
func (t *Table[R]) Explained() (all []key.Binding, why map[string]string) {
	all, why = slices.Concat(t.FullHelp()...), map[string]string{}
	for i := range t.rows {
		s := t.state(i)
		if s.Why == "" && s.Idle && !t.live {
			s.Why = "nothing to do now"
		}
		if s.Why != "" && !t.rows[i].Passing {
			why[t.rows[i].Does], why[cmp.Or(s.Does, t.rows[i].Does)] = s.Why, s.Why
		}
	}
	for _, l := range t.next {
		_, more := l.table.Explained()
		maps.Copy(why, more)
	}
	for i := range all {
		if why[all[i].Help().Desc] != "" {
			all[i].SetEnabled(false)
		}
	}
	return all, why
}

// KeyMap returns the keys that settings can change, also those of the tables that have the keys for
// a while.
func (t *Table[R]) KeyMap() (all []keys.Named) {
	for i := range t.rows {
		if !t.rows[i].Fixed && len(t.rows[i].Keys) > 0 {
			all = append(all, keys.Named{Name: string(t.rows[i].ID), Binding: t.keys[i], First: t.rows[i].First})
		}
	}
	for i := range t.modes {
		for _, b := range t.modes[i].table.KeyMap() {
			b.Typed = b.Typed || t.modes[i].other != nil // other keys are text then
			all = append(all, b)
		}
	}
	return all
}
