// Package sending sets how messages are sent: whether anybody waits for their end, what
// may come back, how much history with it, and what metadata goes along.
//
// A [Pane] knows what the dialect of the agent has a member for, and says what a setting
// becomes on the wire. What was changed comes back as an [Intent]; it knows nothing of
// engines.
package sending

import (
	"encoding/json"
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/jsontok"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/styles"
)

// Settings are how messages are sent. What belongs to a message is gone with it.
type Settings struct {
	Options model.SendOptions // for every message to the agent
	Message json.RawMessage   // metadata of the message that is being written
	Text    json.RawMessage   // metadata of the part that its text becomes
	Names   []string          // URIs of the extensions that it says it uses
	Tasks   json.RawMessage   // metadata of requests about tasks, for every one to the agent
}

// About is what the pane shows.
type About struct {
	Settings
	Agent   string       // its name
	Dialect *a2a.Dialect // in which it is spoken to, nil if that is not known
	NoCard  bool         // there is no card, so nothing is declared
	Streams bool         // the card declares it
	Gives   []string     // media types that the card says the agent gives
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Set changes the settings.
	Set struct{ Settings }
	// Write asks for a larger place to write metadata.
	Write struct{ Of Owner }
	// Refused says why something cannot be done.
	Refused struct{ Why string }
	// Close puts the pane away.
	Close struct{}
)

func (Set) intent()     {}
func (Write) intent()   {}
func (Refused) intent() {}
func (Close) intent()   {}

// An Owner is what metadata belongs to.
type Owner uint8

// The owners of metadata.
const (
	OfRequest Owner = iota // that sends a message
	OfMessage
	OfText  // the part that the text becomes
	OfTasks // requests about tasks
)

// A setting is one line of the pane.
type setting uint8

const (
	answer setting = iota
	modes
	history
	request
	message
	text
	names
	tasks
	numFields
)

// owner returns what the metadata of a setting belongs to; false for what is no metadata.
func (f setting) owner() (Owner, bool) {
	switch f {
	case request:
		return OfRequest, true
	case message:
		return OfMessage, true
	case text:
		return OfText, true
	case tasks:
		return OfTasks, true
	}
	return 0, false
}

// A Pane shows the settings. It is not safe for use by several goroutines.
type Pane struct {
	st     *styles.Styles
	keys   KeyMap
	about  About
	cursor list.Cursor // on one of the settings
	typing bool        // the field is being written
	input  field.Field
	w, h   int
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	return &Pane{st: st, keys: DefaultKeyMap(), input: field.New(st, field.Options{})}
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.st = st
	p.input.SetStyles(st)
}

// SetSize gives the pane w columns and h rows.
func (p *Pane) SetSize(w, h int) { p.w, p.h = max(0, w), max(0, h) }

// Open begins at the first setting.
func (p *Pane) Open() { p.cursor, p.typing = list.Cursor{}, false }

// at is the setting under the cursor.
func (p *Pane) at() setting { return setting(p.cursor.At) }

// SetAbout says what is to be shown.
func (p *Pane) SetAbout(a About) { p.about = a }

// Typing reports whether a setting is being written, so that letters are text.
func (p *Pane) Typing() bool { return p.typing }

// why says why a setting would stay unsaid, empty if it would not.
func (p *Pane) why(f setting) string {
	d := p.about.Dialect
	if d == nil || p.member(f) != "" {
		return ""
	}
	switch f {
	case answer:
		return "A2A " + d.Name().Number() + " cannot request that: the agent decides when it answers"
	case modes, history, names, tasks:
		return "A2A " + d.Name().Number() + " has no member for it"
	}
	return ""
}

// member is what the dialect calls a setting, empty if it has none.
func (p *Pane) member(f setting) string {
	d := p.about.Dialect
	if d == nil {
		return ""
	}
	switch f {
	case answer:
		return d.SendMember(a2a.MemberWait)
	case modes:
		return d.SendMember(a2a.MemberOutputModes)
	case history:
		return d.SendMember(a2a.MemberHistoryLength)
	case request:
		return d.SendMember(a2a.MemberMetadata)
	case names:
		if d.ExtensionsHeader() == "" {
			return ""
		}
		return "message.extensions"
	case text:
		return "the metadata of the text"
	case tasks:
		if annotated(d) == "" {
			return ""
		}
		return "metadata"
	default:
		return "message.metadata"
	}
}

// ways are how an answer may come, in the order of the key that goes round.
var ways = [...]model.SendOptions{
	{},
	{Stream: a2a.True},
	{Stream: a2a.False, Config: a2a.SendConfig{Wait: true}},
	{Stream: a2a.False},
}

// way is the index of the way that is set.
func (p *Pane) way() int {
	o := p.about.Options
	return max(0, slices.IndexFunc(ways[:], func(w model.SendOptions) bool {
		return w.Stream == o.Stream && w.Config.Wait == o.Config.Wait
	}))
}

// turn sets the way n further on.
func (p *Pane) turn(n int) Intent {
	w := ways[(p.way()+n+len(ways))%len(ways)]
	s := p.about.Settings
	s.Options.Stream, s.Options.Config.Wait = w.Stream, w.Config.Wait
	return p.set(s)
}

// set shows the settings at once and asks for them.
func (p *Pane) set(s Settings) Intent {
	p.about.Settings = s
	return Set{s}
}

// value is a setting as it is written.
func (p *Pane) value(f setting) string {
	o := &p.about.Options
	switch f {
	case modes:
		return strings.Join(o.Config.AcceptedOutputModes, ", ")
	case history:
		if o.Config.HistoryLength != nil {
			return strconv.Itoa(*o.Config.HistoryLength)
		}
	case request:
		return string(o.Config.Metadata)
	case message:
		return string(p.about.Message)
	case text:
		return string(p.about.Text)
	case names:
		return strings.Join(p.about.Names, ", ")
	case tasks:
		return string(p.about.Tasks)
	}
	return ""
}

// write begins to write the setting under the cursor.
func (p *Pane) write() Intent {
	if p.at() == answer {
		return p.turn(1)
	}
	p.typing = true
	p.input.SetHint(p.hint(p.at()))
	p.input.SetValue(canvas.SanitizeLine(p.value(p.at())))
	p.input.Focus()
	return nil
}

// hint says what can be written.
func (p *Pane) hint(f setting) string {
	switch f {
	case modes:
		return "such as text/markdown, image/png"
	case history:
		return "how many messages; 0 for none"
	case names:
		return "URIs, with spaces between them"
	default:
		return `a JSON object, such as {"key": "value"}`
	}
}

// accept takes what was written, if it can be: what cannot stays there.
func (p *Pane) accept() Intent {
	line := strings.TrimSpace(p.input.Value())
	s, why := p.about.Settings, ""
	switch p.at() {
	case modes:
		s.Options.Config.AcceptedOutputModes, why = readModes(line)
	case history:
		s.Options.Config.HistoryLength, why = readLength(line)
	case request:
		s.Options.Config.Metadata, why = readObject(line)
	case message:
		s.Message, why = readObject(line)
	case text:
		s.Text, why = readObject(line)
	case names:
		s.Names, why = readURIs(line)
	case tasks:
		s.Tasks, why = readObject(line)
	}
	if why != "" {
		return Refused{why}
	}
	p.typing = false
	return p.set(s)
}

// reset leaves a setting to the agent, or takes it away.
func (p *Pane) reset(f setting) Settings {
	s := p.about.Settings
	switch f {
	case answer:
		s.Options.Stream, s.Options.Config.Wait = a2a.Absent, false
	case modes:
		s.Options.Config.AcceptedOutputModes = nil
	case history:
		s.Options.Config.HistoryLength = nil
	case request:
		s.Options.Config.Metadata = nil
	case message:
		s.Message = nil
	case text:
		s.Text = nil
	case names:
		s.Names = nil
	case tasks:
		s.Tasks = nil
	}
	return s
}

// maxModes is how many media types can be asked for.
const maxModes = 100

// readModes reads media types that commas or spaces separate.
func readModes(text string) (out []string, why string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		if _, _, err := mime.ParseMediaType(word); err != nil {
			return nil, "\"" + canvas.SanitizeLine(word) + "\" is not a media type such as text/markdown."
		}
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	if len(out) > maxModes {
		return nil, fmt.Sprintf("There are more than %d media types.", maxModes)
	}
	return out, ""
}

// readURIs reads URIs of extensions that commas or spaces separate.
func readURIs(line string) (out []string, why string) {
	for _, uri := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' }) {
		if why := a2a.CheckExtension(uri); why != "" {
			return nil, "\"" + canvas.SanitizeLine(clip(uri)) + "\" names no extension: " + why + "."
		}
		if !slices.Contains(out, uri) {
			out = append(out, uri)
		}
	}
	if len(out) > a2a.MaxExtensions {
		return nil, fmt.Sprintf("There are more than %d extensions.", a2a.MaxExtensions)
	}
	return out, ""
}

// readLength reads a number of messages.
func readLength(text string) (*int, string) {
	if text == "" {
		return nil, ""
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return nil, "A history length must be a whole number, 0 or more; leave it empty to let the agent decide."
	}
	length := int(n)
	return &length, ""
}

// readObject reads metadata.
func readObject(text string) (json.RawMessage, string) {
	return Object([]byte(text))
}

// Object returns metadata that was written, nil for none, or says why it is no JSON
// object.
func Object(text []byte) (json.RawMessage, string) {
	text = []byte(strings.TrimSpace(string(text)))
	if len(text) == 0 {
		return nil, ""
	}
	if bad := jsontok.Check(text); bad != nil {
		line, column := bad.Position(text)
		return nil, fmt.Sprintf("Line %d, column %d: this is not JSON: %s.", line, column, bad.Msg)
	}
	if text[0] != '{' {
		return nil, `Metadata must be a JSON object, such as {"key": "value"}.`
	}
	return text, ""
}

// Paste types into the setting that is written.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if p.typing {
		p.input.Paste(msg.Content)
	}
}
