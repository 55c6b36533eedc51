// Package jsonedit is the pane in which a user writes one JSON value, such as a part of a
// message or metadata, with a check at every key.
//
// A [Pane] shows what and where an error is, and returns a valid value as an [Intent]. A text
// that was not accepted is restored when the same value is edited again.
package jsonedit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a/jsontok"
	"parley/ui/action"
	"parley/ui/editor"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// A Draft is a value to edit.
type Draft struct {
	Title string // title of the pane: "data", "metadata of map.png"
	Text  string // initial text
	// Object is set if only an object is valid; an empty text then means no value.
	Object bool
	Hint   string // a clause that names allowed members; may be empty
}

// An Intent is what the pane asks the root model to do, nil if nothing.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Done returns the value, nil for none.
	Done struct{ JSON json.RawMessage }
	// Edit asks to open Text in the user's editor and to pass the saved text to [Pane.Edited].
	Edit struct{ Text string }
	// Refused says why something is not possible.
	Refused struct{ Why string }
	// Close asks to close the pane. The text stays.
	Close struct{}
)

func (Done) intent()    {}
func (Edit) intent()    {}
func (Refused) intent() {}
func (Close) intent()   {}

// A Pane edits one JSON value. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	draft          Draft
	edit           editor.Editor
	firstVersion   uint64 // version of the initial text
	checkedVersion uint64 // version that was checked, 0 for none
	about          string // describes a valid text
	wrong          *mistake
}

// A mistake is the first error in the text.
type mistake struct {
	row, col int // from 0; col counts characters
	words    string
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{Base: sheet.New(st), edit: editor.New()}
	p.Table = p.actions()
	return p
}

// Open shows a draft. If it has no text, an earlier text for the same title that was not
// accepted is restored.
func (p *Pane) Open(d Draft) {
	goesOn := d.Text == "" && d.Title == p.draft.Title && p.edit.Version != p.firstVersion
	p.draft = d
	if goesOn {
		return
	}
	p.edit.Set(d.Text)
	p.firstVersion = p.edit.Version
	p.check()
	if p.wrong != nil && d.Text != "" {
		p.toMistake()
	} else if d.Text == "" && !d.Object {
		p.edit.Insert("{}")
		p.edit.GoTo(0, 1)
		p.firstVersion = p.edit.Version
	}
}

// Edited takes over the text that the user's editor saved.
func (p *Pane) Edited(text string) {
	p.edit.Replace(strings.TrimRight(text, "\n"))
	p.check()
	if p.wrong != nil {
		p.toMistake()
	}
}

// read checks the text unless it is checked already or too large.
func (p *Pane) read() {
	if p.checkedVersion == p.edit.Version {
		return
	}
	if p.edit.Large() {
		p.wrong, p.about = nil, "too large to check now; it is checked when you accept it"
		return
	}
	p.check()
}

// check checks the text.
func (p *Pane) check() {
	p.checkedVersion, p.wrong, p.about = p.edit.Version, nil, ""
	text := []byte(p.edit.Text())
	if p.draft.Object && len(bytes.TrimSpace(text)) == 0 {
		if p.about = "empty: no value"; p.draft.Hint != "" {
			p.about += "; " + p.draft.Hint
		}
		return
	}
	if bad := jsontok.Check(text); bad != nil {
		line, column := bad.Position(text)
		p.wrong = &mistake{line - 1, column - 1, bad.Msg}
		return
	}
	var doc jsontok.Doc
	_ = doc.Parse(text) // it is valid
	root := doc.Root()
	if p.draft.Object && root.Kind() != jsontok.Object {
		p.wrong = &mistake{words: `metadata must be an object, such as {"key": "value"}`}
		return
	}
	p.about = what(root)
}

// toMistake moves the cursor to the error.
func (p *Pane) toMistake() {
	line := p.edit.Lines[min(p.wrong.row, len(p.edit.Lines)-1)]
	at := 0
	for n := range line {
		if at == p.wrong.col {
			p.edit.GoTo(p.wrong.row, n)
			return
		}
		at++
	}
	p.edit.GoTo(p.wrong.row, len(line))
}

// done returns the value, if it is valid.
func (p *Pane) done() Intent {
	p.check()
	if p.wrong != nil {
		p.toMistake()
		return Refused{fmt.Sprintf("Line %d, column %d: %s.", p.wrong.row+1, p.wrong.col+1, p.wrong.words)}
	}
	text := bytes.TrimSpace([]byte(p.edit.Text()))
	p.edit.Set("")
	p.firstVersion = p.edit.Version
	if len(text) == 0 {
		text = nil
	}
	return Done{JSON: text}
}

// layOut formats a value on one line, or compacts a formatted one.
func (p *Pane) layOut() Intent {
	p.check()
	text := []byte(p.edit.Text())
	if p.wrong != nil || len(bytes.TrimSpace(text)) == 0 {
		return Refused{"Only valid JSON can be formatted."}
	}
	var out bytes.Buffer
	err := json.Indent(&out, bytes.TrimSpace(text), "", "  ")
	if err == nil && bytes.Equal(out.Bytes(), text) {
		out.Reset()
		err = json.Compact(&out, text)
	}
	if err == nil {
		p.edit.Replace(out.String())
		p.edit.GoTo(0, 0)
	}
	return nil
}

// Paste inserts text at the cursor.
func (p *Pane) Paste(msg tea.PasteMsg) { p.edit.Paste(msg.Content) }
