package push

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
)

// Actions that texts of the pane name.
const (
	registerOwn  action.ID = "register-parley-s-webhook"
	addToEach    action.ID = "add-to-each-message"
	listWebhooks action.ID = "list-webhooks"
	getWebhook   action.ID = "get-webhook"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	move := p.List.Motion(func() int { return len(p.hooks()) }, nil)
	move.Move = func(by int) {
		p.selected()
		p.List.Move(by, len(p.hooks()))
		p.selectRow()
	}
	t := action.New(refuse, slices.Concat(
		[]action.Action[Intent]{
			{
				Row: action.Row{ID: registerOwn, Keys: []string{"n"}, Does: "register Parley's webhook", Foot: 1, Now: p.sends(a2a.OpPushSet)},
				Run: func() Intent { return Listen{p.about.Task.ID} },
			},
			{
				Row: action.Row{ID: addToEach, Keys: []string{"i"}, Does: "add to each message", Foot: 2, Now: p.everyNow},
				Run: func() Intent { return Every{!p.about.Every} },
			},
			{
				Row: action.Row{ID: listWebhooks, Keys: []string{"l"}, Does: "list webhooks", Foot: 3, Now: p.sends(a2a.OpPushList)},
				Run: func() Intent { return List{p.about.Task.ID} },
			},
			{
				Row: action.Row{ID: getWebhook, Keys: []string{"enter"}, Does: "get webhook", Foot: 4, Now: p.sendsOne(a2a.OpPushGet, "")},
				Run: func() Intent { return Get{p.about.Task.ID, p.id()} },
			},
			{
				Row: action.Row{Keys: []string{"d", "delete"}, Does: "delete webhook", Foot: 5, Now: p.sendsOne(a2a.OpPushDelete, "set to null")},
				Run: func() Intent { return Delete{p.about.Task.ID, p.id()} },
			},
			{Row: action.Row{Keys: []string{"a"}, Does: "register another URL", Foot: 6, Now: p.sends(a2a.OpPushSet)}, Run: p.openForm},
		},
		list.Actions[Intent](list.RowKeys(), list.Foot{}, move),
		[]action.Action[Intent]{
			{
				Row: action.Row{Keys: []string{"f"}, Does: "filter wire", Foot: 7, Now: p.delivered},
				Run: func() Intent { return Show{p.about.Task.ID} },
			},
			{
				Row: action.Row{Keys: []string{"y"}, Does: "copy URL", Foot: 8, Now: func() action.State { return action.State{Off: p.selected() == nil} }},
				Run: func() Intent { return Copy{p.selected().URL} },
			},
		},
		sheet.FilterActions[Intent](&p.filter, "webhooks", 9, func() bool { return len(p.all()) > 0 }),
		[]action.Action[Intent]{{
			Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 10},
			Run: func() Intent { return Close{} },
		}},
	)...).While(func() bool { return p.typing }, p.typed(), func(msg tea.KeyPressMsg) Intent { p.inputs[p.at].Key(msg); return nil })
	return sheet.Filtered(t, &p.filter, func() {})
}

// typed returns the table while the form is open. Leaving the form preserves its text.
func (p *Pane) typed() *action.Table[Intent] {
	step := func(by int) func() Intent { return func() Intent { p.focus(p.at + by); return nil } }
	return action.New(refuse,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "register", Foot: 1, Now: p.onTask}, Run: p.register},
		action.Action[Intent]{Row: action.Row{Keys: []string{"tab", "down"}, Does: "next field", Foot: 2}, Run: step(1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"shift+tab", "up"}, Does: "previous field", Foot: 3}, Run: step(-1)},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "cancel", Foot: 4},
			Run: func() Intent { p.typing = false; return nil },
		},
	)
}

// refuse returns a refusal with the reason as a sentence.
func refuse(why string) Intent { return Refused{sheet.Sentence(why)} }

// unless returns the state of an action that is not possible for a reason, if there is one.
func unless(why string) action.State { return action.State{Off: why != "", Why: why} }

// sends returns how an operation on the webhooks of the task stands.
func (p *Pane) sends(op a2a.Op) func() action.State {
	return func() action.State { return unless(p.why(op)) }
}

// sendsOne returns how an operation on one webhook of the task stands. Where a task has one webhook
// without an id, the action has the words of null, if there are any.
func (p *Pane) sendsOne(op a2a.Op, null string) func() action.State {
	return func() action.State {
		switch why := p.why(op); {
		case why != "":
			return unless(why)
		case p.deletesByNull():
			return action.State{Does: null}
		case p.selected() == nil:
			return unless("no webhook is known: " + keys.Name(p.Of(listWebhooks)) + " lists the task's webhooks")
		}
		return action.State{}
	}
}

func (p *Pane) everyNow() action.State {
	s := unless(p.whyEvery())
	if p.about.Every {
		s.Does = "remove from messages"
	}
	return s
}

func (p *Pane) delivered() action.State {
	if p.about.Task == nil || p.about.Task.Push.Deliveries == 0 {
		return unless("there are no deliveries about this task")
	}
	return action.State{}
}

func (p *Pane) onTask() action.State {
	if p.about.Task == nil {
		return unless(p.why(a2a.OpPushSet))
	}
	return action.State{}
}

// id returns the id of the selected webhook, empty if there is none.
func (p *Pane) id() string {
	if h := p.selected(); h != nil {
		return h.ID
	}
	return ""
}

// openForm lets the user type another URL.
func (p *Pane) openForm() Intent {
	p.typing = true
	p.focus(0)
	return nil
}
