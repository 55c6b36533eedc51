// Package sending is the pane of the send options: blocking or not, accepted output modes,
// history length, metadata and extensions.
//
// A [Pane] shows which member of the agent's dialect each setting becomes on the wire. It
// returns changes as an [Intent] and does not know the engine.
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
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// Settings are the send options of an agent and of the current message. Options of a message
// apply to that message only.
type Settings struct {
	Options model.SendOptions // for every message to the agent
	Message json.RawMessage   // metadata of the current message, a JSON object
	Text    json.RawMessage   // metadata of the text part of the current message
	Names   []string          // URIs of the extensions that the current message names
	Tasks   json.RawMessage   // metadata of all requests to the agent about tasks
}

// About is the data that the pane shows.
type About struct {
	Settings
	Agent       string       // name of the agent
	Dialect     *a2a.Dialect // of the agent, nil if unknown
	NoCard      bool         // the agent has no card, so it declares nothing
	Streams     bool         // the card declares streaming
	OutputModes []string     // output modes that the card declares
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Set changes the settings.
	Set struct{ Settings }
	// Write opens a larger editor for metadata.
	Write struct{ Of Owner }
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Set) intent()     {}
func (Write) intent()   {}
func (Refused) intent() {}
func (Close) intent()   {}

// An Owner is the object that metadata belongs to.
type Owner uint8

// The owners of metadata.
const (
	OfRequest Owner = iota // the request that sends a message
	OfMessage
	OfText  // the part that contains the message's text
	OfTasks // requests about tasks
)

// A setting is one row of the pane.
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
	numSettings
)

// rows describe the settings.
var rows = [numSettings]struct {
	label string
	hint  string // syntax of the value
	none  string // what applies without a value
}{
	answer:  {label: "the answer"},
	modes:   {"accepted types", "such as text/markdown, image/png", "anything"},
	history: {"history", "how many messages; 0 for none", "the agent decides"},
	request: {"request metadata", objectHint, "none"},
	message: {"message metadata", objectHint, "none"},
	text:    {"text metadata", objectHint, "none"},
	names:   {"extensions", "URIs, with spaces between them", "none"},
	tasks:   {"task metadata", objectHint, "none"},
}

const objectHint = `a JSON object, such as {"key": "value"}`

// owners are the owners of the metadata that settings edit.
var owners = map[setting]Owner{request: OfRequest, message: OfMessage, text: OfText, tasks: OfTasks}

// metadata returns the metadata that a setting edits, nil if it edits something else.
func (s *Settings) metadata(f setting) *json.RawMessage {
	switch f {
	case request:
		return &s.Options.Config.Metadata
	case message:
		return &s.Message
	case text:
		return &s.Text
	case tasks:
		return &s.Tasks
	}
	return nil
}

// A Pane shows the settings. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	about  About
	typing bool // the user types a value
	input  field.Field
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{input: field.New(st, field.Options{})}
	p.Table = p.actions()
	p.Base = sheet.New(st, &p.input)
	return p
}

// Open selects the first setting.
func (p *Pane) Open() { p.List, p.typing = list.Cursor{}, false }

// at returns the setting at the cursor.
func (p *Pane) at() setting { return setting(p.List.At) }

// SetAbout sets the data to show.
func (p *Pane) SetAbout(a About) { p.about = a }

// Typing reports whether the user types a value, so that letters are text.
func (p *Pane) Typing() bool { return p.typing }

// why returns the reason, as a clause, why a setting would not be sent; empty if it would.
func (p *Pane) why(f setting) string {
	d := p.about.Dialect
	if d == nil || p.member(f) != "" {
		return ""
	}
	if f == answer {
		return "A2A " + d.Name().Number() + " cannot request that: the agent decides when it answers"
	}
	return "A2A " + d.Name().Number() + " has no member for it"
}

// member returns the dialect's name of a setting, empty if the dialect has none.
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
		if annotatedRequests(d) == "" {
			return ""
		}
		return "metadata"
	default:
		return "message.metadata"
	}
}

// ways are the answer modes, in the order in which keys step through them.
var ways = [...]model.SendOptions{
	{},
	{Stream: a2a.True},
	{Stream: a2a.False, Config: a2a.SendConfig{Wait: true}},
	{Stream: a2a.False},
}

// way returns the index in ways of the current answer mode.
func (p *Pane) way() int {
	o := p.about.Options
	return max(0, slices.IndexFunc(ways[:], func(w model.SendOptions) bool {
		return w.Stream == o.Stream && w.Config.Wait == o.Config.Wait
	}))
}

// turn selects the answer mode n steps further.
func (p *Pane) turn(n int) Intent {
	w := ways[(p.way()+n+len(ways))%len(ways)]
	s := p.about.Settings
	s.Options.Stream, s.Options.Config.Wait = w.Stream, w.Config.Wait
	return p.set(s)
}

// set applies the settings at once and returns the intent that reports them.
func (p *Pane) set(s Settings) Intent {
	p.about.Settings = s
	return Set{s}
}

// value returns the current value of a setting as the user would type it.
func (p *Pane) value(f setting) string {
	c := &p.about.Options.Config
	switch f {
	case modes:
		return strings.Join(c.AcceptedOutputModes, ", ")
	case history:
		if c.HistoryLength != nil {
			return strconv.Itoa(*c.HistoryLength)
		}
	case names:
		return strings.Join(p.about.Names, ", ")
	}
	if object := p.about.metadata(f); object != nil {
		return string(*object)
	}
	return ""
}

// write starts to edit the setting at the cursor.
func (p *Pane) write() Intent {
	if p.at() == answer {
		return p.turn(1)
	}
	p.typing = true
	p.input.SetHint(rows[p.at()].hint)
	p.input.SetValue(canvas.SanitizeLine(p.value(p.at())))
	p.input.Focus()
	return nil
}

// accept applies the typed value. An invalid value stays in the input.
func (p *Pane) accept() Intent {
	line := strings.TrimSpace(p.input.Value())
	s, why := p.about.Settings, ""
	switch p.at() {
	case modes:
		s.Options.Config.AcceptedOutputModes, why = readModes(line)
	case history:
		s.Options.Config.HistoryLength, why = readLength(line)
	case names:
		s.Names, why = readURIs(line)
	default:
		*s.metadata(p.at()), why = Object([]byte(line))
	}
	if why != "" {
		return Refused{why}
	}
	p.typing = false
	return p.set(s)
}

// reset returns the settings with one of them set to its default.
func (p *Pane) reset(f setting) Settings {
	s := p.about.Settings
	switch f {
	case answer:
		s.Options.Stream, s.Options.Config.Wait = a2a.Absent, false
	case modes:
		s.Options.Config.AcceptedOutputModes = nil
	case history:
		s.Options.Config.HistoryLength = nil
	case names:
		s.Names = nil
	default:
		*s.metadata(f) = nil
	}
	return s
}

// maxModes is the largest number of output modes that can be accepted.
const maxModes = 100

// readModes parses media types.
func readModes(line string) (modes []string, why string) {
	return readList(line, maxModes, "media types", func(word string) string {
		if _, _, err := mime.ParseMediaType(word); err != nil {
			return "\"" + canvas.SanitizeLine(word) + "\" is not a media type such as text/markdown."
		}
		return ""
	})
}

// readURIs parses URIs of extensions.
func readURIs(line string) (uris []string, why string) {
	return readList(line, a2a.MaxExtensions, "extensions", func(uri string) string {
		if why := a2a.CheckExtension(uri); why != "" {
			return "\"" + canvas.SanitizeLine(clip(uri)) + "\" names no extension: " + why + "."
		}
		return ""
	})
}

// readList parses at most most different words separated by commas or spaces. check returns
// the reason why a word is wrong, empty if it is right.
func readList(line string, most int, noun string, check func(word string) string) (words []string, why string) {
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' }) {
		if why := check(word); why != "" {
			return nil, why
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if len(words) > most {
		return nil, fmt.Sprintf("There are more than %d %s.", most, noun)
	}
	return words, ""
}

// readLength parses a history length.
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

// Object returns text as a JSON object, nil if text is blank, or the reason why it is not a
// JSON object.
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

// Paste inserts the pasted text into the input.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if p.typing {
		p.input.Paste(msg.Content)
	}
}
