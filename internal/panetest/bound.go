package panetest

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"parley/ui/action"
)

// bound are the default keys of the actions of the workbench, and of those of panes that rows of controllers
// name. A test of package ui compares them with the tables.
var bound = map[action.ID][]string{
	action.FindAnything: {"ctrl+p", "f7"}, "go-to-waiting-task": {"ctrl+g"}, action.OpenLink: {"alt+o"}, action.FillInForm: {"alt+i"},
	action.NewConversation: {"ctrl+n"}, action.CancelTask: {"ctrl+x"}, action.ShowCard: {"f2"}, action.ListTasks: {"f3"}, "show-webhooks": {"f4"},
	action.SignIn: {"f5"}, "show-lanes": {"f6"}, "show-second-conversation": {"f8"}, "go-to-other-conversation": {"f9"}, "choose-theme": {"alt+t"},
	"presenter-mode": {"f10", "alt+v"}, "presenter-wire": {"alt+w"}, "presenter-spotlight": {"alt+j"}, "presenter-pressed-keys": {"alt+k"},
	"show-findings": {"F"}, "copy-exchange": {"c"}, "edit-and-resend-request": {"e"}, "inject-faults": {"!"}, "show-stream": {"s"},
	"quote-text": {"Q"}, action.ResendMessage: {"E"}, "fork-turn": {"B"},
	"search-history": {"ctrl+r"}, "attach-file": {"alt+a"}, "edit-attachment": {"alt+p"}, "set-send-options": {"alt+h"}, "hide-text": {"alt+s"},
	"preview-file": {"V"}, "save-file": {"w"}, "save-and-open": {"o"}, "search-text": {"/"}, "filter-records": {"/"},
}

// Bound returns the default keys of an action of the workbench, for tests of what names them. It panics
// if there is no such action.
func Bound(id action.ID) key.Binding {
	press, ok := bound[id]
	if !ok {
		panic("there is no action " + string(id))
	}
	return key.NewBinding(key.WithKeys(press...), key.WithHelp(press[0], strings.ReplaceAll(string(id), "-", " ")))
}

// AllBound returns the actions of which [Bound] knows the keys.
func AllBound() (all []action.ID) {
	for id := range bound {
		all = append(all, id)
	}
	return all
}
