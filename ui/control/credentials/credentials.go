// Package credentials is the controller of the credentials that the user enters: it opens the
// sheet, gives them to the engine, and removes them.
package credentials

import (
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/credentials"
	"parley/ui/styles"
)

// SheetName is the name of the sheet on which credentials are entered.
const SheetName control.SheetName = "credentials"

// A Composer is the text field.
type Composer interface {
	// Empty reports whether the composer has no text and no parts.
	Empty() bool
	// Of returns the keys of an action, for texts.
	Of(id action.ID) key.Binding
}

// An Outbox sends messages.
type Outbox interface {
	// Returned reports whether a message that came back is in the composer.
	Returned() bool
	// EditAgain restores the message of the turn under the cursor, unless it has a secret.
	EditAgain() tea.Cmd
}

// A Controller enters, lists and removes the credentials of the agent on the screen.
type Controller struct {
	host     control.Host
	composer Composer
	outbox   Outbox
	pane     *credentials.Pane
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, composer Composer, outbox Outbox) *Controller {
	return &Controller{host: host, composer: composer, outbox: outbox, pane: credentials.New(st)}
}

// Open shows the sheet for the agent on the screen.
func (c *Controller) Open() tea.Cmd {
	a := c.host.Agent()
	if a == nil {
		return c.host.Say(control.NoAgent(c.host), true)
	}
	c.pane.Open(c.about(), c.challengeSchemes(a.ID))
	c.host.Open(SheetName)
	return nil
}

// OpenHeader shows the sheet for a header whose name and value may be given.
func (c *Controller) OpenHeader(name, value string) tea.Cmd {
	cmd := c.Open()
	if c.host.Shows(SheetName) {
		c.pane.Header(name, value)
	}
	return cmd
}

// FinderTyped shows the sheet as soon as the text of the finder has a credential, so that its
// value is never shown.
func (c *Controller) FinderTyped(text string) tea.Cmd {
	name, value, ok := typedHeader(text)
	if !ok {
		return nil
	}
	c.host.Close()
	return c.OpenHeader(name, value)
}

// typedHeader returns the header in a text: behind "pin header" any header, behind "pin token" or
// "pin bearer" the token, and on its own a header whose name says that it has a secret.
func typedHeader(text string) (name, value string, ok bool) {
	rest, pins := cutWord(strings.TrimPrefix(strings.TrimLeftFunc(text, unicode.IsSpace), "/"), "pin")
	if !pins {
		name, value, _ = strings.Cut(rest, ":")
		name = strings.TrimSpace(name)
		plain := strings.ContainsAny(name, " \t") || strings.IndexAny(value, "/0123456789") == 0 // words, a URL or a port
		return name, value, a2a.SecretName(name) && value != "" && !plain
	}
	if header, ok := cutWord(rest, "header"); ok {
		name, value, ok = strings.Cut(header, ":")
		name = strings.TrimSpace(name)
		return name, value, ok && name != ""
	}
	for _, word := range []string{"token", "bearer"} {
		if token, ok := cutWord(rest, word); ok && token != "" {
			return "Authorization", "Bearer " + token, true
		}
	}
	return "", "", false
}

// cutWord returns the text behind its first word, if that is the given one.
func cutWord(text, word string) (rest string, ok bool) {
	first := strings.IndexFunc(text, unicode.IsSpace)
	if first < 0 || !strings.EqualFold(text[:first], word) {
		return text, false
	}
	return strings.TrimLeftFunc(text[first:], unicode.IsSpace), true
}

// Sheet describes the sheet. Its pane handles the keys that close it, to forget the secret.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	return control.NewSheet(p, c.onIntent, control.Sheet{
		Name: SheetName, Help: "credentials", KeepsCtrlC: true, Typing: p.Typing, Paste: p.Paste,
		Refresh: func() { p.SetAbout(c.about()) },
	})
}

// Actions returns the action that opens the sheet.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			Slash: "credentials", Name: "Enter or remove headers with credentials for the agent",
			Also: []string{"token", "api key", "apikey", "password", "auth", "bearer", "headers", "login"}, Now: action.Unless(control.Refused(c.host), control.NoneOpen(c.host)),
		},
		Run: c.Open,
	}}
}

// Entries returns a finder command for each header of the agent on the screen: it removes the header.
func (c *Controller) Entries() (out []control.Command) {
	a := c.host.Agent()
	if a == nil || control.Refusal(c.host) != "" {
		return nil
	}
	for _, e := range c.about().Set {
		out = append(out, control.Command{
			Name: "Unpin " + canvas.SanitizeLine(e.Name) + ": " + e.Value, Note: originOf(a), Run: func() tea.Cmd { return c.remove(e) },
		})
	}
	return out
}
