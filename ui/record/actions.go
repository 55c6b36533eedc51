package record

import (
	"charm.land/bubbles/v2/key"

	"parley/ui/action"
	"parley/ui/canvas"
)

// Actions that texts and footers name.
const (
	CopyText     action.ID = "copy-text"
	SaveBody     action.ID = "save-body"
	NextTab      action.ID = "next-tab"
	FoldText     action.ID = "fold-or-open-text"
	ShowDecoded  action.ID = "preview-decoded-value"
	RevealSecret action.ID = "reveal-secret"
	GoToPlace    action.ID = "go-to-place"
	MuteRule     action.ID = "mute-rule"
)

// Unread is why an action that needs the cursor in the record is not possible elsewhere.
const Unread = "the cursor is not in the record: read the record first"

// NameFold sets the key that folds and opens texts, which a line names.
func (v *View) NameFold(fold key.Binding) { v.tree.NameFold(fold) }

// CopyActions returns the action that copies the record. It needs no cursor in it.
func (v *View) CopyActions() []action.Action[Intent] {
	return []action.Action[Intent]{{
		Row: action.Row{ID: CopyText, Keys: []string{"y"}, Does: "copy text", Rank: 15, Short: "copy text", Named: v.about("Copy ", ""), Now: v.some},
		Run: func() Intent { return v.copyIntent(v.reading()) },
	}}
}

// TabActions returns the actions that choose a tab. They need no cursor in the record.
func (v *View) TabActions() []action.Action[Intent] {
	now := func() action.State { return action.State{Off: v.it == nil || v.h <= 0} }
	step := func(by int) func() Intent {
		return v.change(func() Intent {
			v.pick(int(v.Tab()) + by)
			return nil
		})
	}
	return []action.Action[Intent]{
		{Row: action.Row{Keys: []string{"h", "left"}, Does: "previous tab", Now: now}, Run: step(-1)},
		{Row: action.Row{ID: NextTab, Keys: []string{"l", "right"}, Does: "next tab", Rank: 14, Now: now}, Run: step(1)},
		{
			Row: action.Row{Keys: []string{"1", "2", "3", "4", "5"}, Shown: "1-5", Does: "show tab", Now: now},
			Press: action.Digit(func(n int) Intent {
				if t := Tab(n - 1); t != Findings || len(v.it.Findings) > 0 {
					v.SetTab(t)
					return nil
				}
				return Say{"There are no findings in record " + v.number() + "."}
			}),
		},
	}
}

// ReadActions returns the other actions: those that need the cursor in the record, the one that saves
// its body, and those that only the finder has.
func (v *View) ReadActions() []action.Action[Intent] {
	fold := func(all bool) func() Intent {
		return v.change(func() Intent {
			v.tree.FoldAll(all)
			return nil
		})
	}
	const noTree = "no tree is shown"
	return append([]action.Action[Intent]{
		{
			Row: action.Row{ID: FoldText, Keys: []string{"space", "enter"}, Does: "fold or open text", Now: v.atCursor(func() bool { return v.inTree() && v.tree.CanToggle() }, "")},
			Run: v.change(func() Intent {
				v.tree.Toggle()
				return nil
			}),
		},
		{Row: action.Row{Keys: []string{"-"}, Does: "fold all", Named: v.about("Fold all of ", ""), Now: v.atCursor(v.inTree, noTree)}, Run: fold(true)},
		{Row: action.Row{Keys: []string{"+", "="}, Does: "unfold all", Named: v.about("Unfold all of ", ""), Now: v.atCursor(v.inTree, noTree)}, Run: fold(false)},
		{
			Row: action.Row{Keys: []string{"Y"}, Does: "copy JSON pointer", Named: v.shown("Copy the JSON pointer of the cursor"), Now: v.atCursor(func() bool { return v.inTree() && v.tree.Pointer() != "" }, "the cursor is not on a value of a tree")},
			Run: v.place,
		},
		{
			Row: action.Row{ID: ShowDecoded, Keys: []string{"v"}, Does: "preview decoded value", Named: v.shown("Preview decoded value"), Now: v.atCursor(func() bool { return v.inTree() && v.tree.HasFormats() }, "the cursor is not on a text")},
			Run: v.nextFormat,
		},
		{
			Row: action.Row{Keys: []string{"x"}, Does: "switch hexadecimal", Now: func() action.State {
				s := action.State{Off: v.shows() != showBytes}
				if v.raw.Hex() {
					s.Does = "show as text"
				}
				return s
			}},
			Run: v.change(v.switchHex),
		},
		{Row: action.Row{ID: RevealSecret, Keys: []string{"u"}, Does: "reveal secret", Named: v.shown("Reveal the secret under the cursor"), Now: v.canReveal()}, Run: v.change(v.reveal)},
		{
			Row: action.Row{ID: GoToPlace, Keys: []string{"enter", "space"}, Does: "go to place", Now: v.atCursor(func() bool { at := v.entry(); return at.finding != nil || at.record != 0 }, "")},
			Run: v.change(v.enter),
		},
		{
			Row: action.Row{ID: MuteRule, Keys: []string{"m"}, Does: "mute rule", Named: v.muteName, Now: v.canMute()},
			Run: v.change(func() Intent { return v.mute(v.entry().finding) }),
		},
		{
			Row: action.Row{ID: SaveBody, Keys: []string{"w"}, Does: "save body", Named: v.about("Save the body of ", " to a file"), Now: v.hasBytes},
			Run: func() Intent { return v.saveIntent(v.reading()) },
		},
	}, v.finderActions()...)
}

// finderActions returns the actions without keys, for the finder.
func (v *View) finderActions() []action.Action[Intent] {
	show := func(t Tab, before, after string, now func() action.State) action.Action[Intent] {
		return action.Action[Intent]{
			Row: action.Row{Does: "show " + tabNames[t], Passing: true, Named: v.about(before, after), Now: now},
			Run: func() Intent {
				v.SetTab(t)
				return nil
			},
		}
	}
	return []action.Action[Intent]{
		show(Pretty, "Show ", " as a tree", v.some),
		show(Raw, "Show the raw bytes of ", "", v.hasBytes),
		show(Headers, "Show the headers around ", "", v.some),
		show(Timing, "Show the timing of the exchange of ", "", v.some),
		show(Findings, "Show the findings of ", "", func() action.State {
			if v.it != nil && len(v.it.Findings) == 0 {
				return action.State{Off: true, Why: "it has no findings"}
			}
			return v.some()
		}),
		{
			Row: action.Row{Does: "show in hexadecimal", Passing: true, Named: v.about("Show the bytes of ", " in hexadecimal"), Now: v.hasBytes},
			Run: v.change(v.switchHex),
		},
	}
}

// shown names an action while a record is shown.
func (v *View) shown(name string) func() string {
	return func() string {
		if v.it == nil {
			return ""
		}
		return name
	}
}

// about names an action with the number of the record.
func (v *View) about(before, after string) func() string {
	return func() string {
		if v.it == nil {
			return ""
		}
		return before + "record " + v.number() + after
	}
}

// some returns how an action stands that needs a record.
func (v *View) some() action.State { return action.State{Off: v.it == nil} }

// hasBytes returns how an action stands that needs the bytes of a record.
func (v *View) hasBytes() action.State {
	if v.it != nil && len(v.it.Record.Raw) == 0 && v.shows() != showBytes {
		return action.State{Off: true, Why: "this record has no bytes"}
	}
	return v.some()
}

// atCursor returns how an action stands that needs the cursor in the record, where can says whether
// it is possible. Why is the reason if it is not.
func (v *View) atCursor(can func() bool, why string) func() action.State {
	return func() action.State {
		switch {
		case v.it == nil || !v.reading():
			return action.State{Off: true}
		case !can():
			return action.State{Off: true, Why: why}
		}
		return action.State{}
	}
}

// inTree reports whether a tree is shown, which it loads.
func (v *View) inTree() bool {
	if v.shows() != showTree {
		return false
	}
	v.load()
	return true
}

// entry returns what the row under the cursor refers to.
func (v *View) entry() entry {
	if v.shows() != showSheet {
		return entry{}
	}
	v.sheet.fill(v)
	return v.sheet.entry()
}

// canReveal returns how the action stands that shows a secret.
func (v *View) canReveal() func() action.State {
	now := v.atCursor(func() bool {
		_, masked := v.secret()
		return masked || v.shownSecret.in != nowhere
	}, "the cursor is not on a masked value")
	return func() action.State {
		s := now()
		if v.shownSecret.in != nowhere {
			s.Does = "hide secret"
		}
		return s
	}
}

// OnFinding reports whether the view has the keys and the cursor is on a finding.
func (v *View) OnFinding() bool { return v.it != nil && v.reading() && v.entry().finding != nil }

// canMute returns how the action stands that mutes a rule.
func (v *View) canMute() func() action.State {
	now := v.atCursor(v.OnFinding, "the cursor is not on a finding: 5 lists them")
	return func() action.State {
		s := now()
		if !s.Off && v.log.Findings().Muted(v.entry().finding.Rule) {
			s.Does = "unmute rule"
		}
		return s
	}
}

// muteName names the action that mutes a rule.
func (v *View) muteName() string {
	switch {
	case v.it == nil:
		return ""
	case !v.OnFinding():
		return "Mute the rule under the cursor"
	}
	rule := v.entry().finding.Rule
	if v.log.Findings().Muted(rule) {
		return "Unmute " + canvas.SanitizeLine(rule)
	}
	return "Mute " + canvas.SanitizeLine(rule)
}

// change wraps a function that changes the view.
func (v *View) change(do func() Intent) func() Intent {
	return func() Intent {
		defer v.invalidate()
		return do()
	}
}

// switchHex switches the bytes between hexadecimal and text.
func (v *View) switchHex() Intent {
	hex := v.Tab() != Raw || !v.raw.Hex()
	v.SetTab(Raw)
	v.load()
	v.raw.SetHex(hex)
	return nil
}

// nextFormat shows the string under the cursor in its next format.
func (v *View) nextFormat() Intent {
	v.invalidate()
	return Say{"shown " + v.tree.NextFormat().String()}
}
