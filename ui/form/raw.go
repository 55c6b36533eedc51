package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// toggleJSON switches between the form and its JSON.
func (p *Pane) toggleJSON() Intent {
	if !p.asJSON {
		p.toRaw()
		return nil
	}
	data := p.typedJSON()
	switch why := syntaxError(data); {
	case p.raw.Value() == p.initialJSON && len(p.rows) > 0:
	case why != "":
		return Refused{why}
	}
	p.asJSON = false
	if p.raw.Value() != p.initialJSON { // unchanged JSON keeps the input that is not valid yet
		p.build(data)
	}
	return nil
}

// toRaw shows the input as JSON.
func (p *Pane) toRaw() {
	var b, pretty bytes.Buffer
	p.masks = p.root.secrets(nil)
	p.root.hide(a2a.Mask, p.masks, new(int))
	if p.root.present() {
		p.root.write(&b)
	}
	p.root.hide("", p.masks, new(int))
	if json.Indent(&pretty, b.Bytes(), "", "  ") != nil {
		pretty = b
	}
	p.raw.SetValue(pretty.String())
	p.raw.MoveToBegin()
	p.asJSON, p.initialJSON = true, p.raw.Value()
}

// rawKey handles a key press in the JSON.
func (p *Pane) rawKey(msg tea.KeyPressMsg) {
	switch k := p.St.Editing; {
	case key.Matches(msg, k.Newline):
		p.raw.InsertString("\n")
	case key.Matches(msg, k.Yank):
		p.raw.InsertString(p.cutText)
	default:
		if cut := p.raw.Key(msg); cut != "" {
			p.cutText = cut
		}
	}
}

// hide replaces secrets by numbered masks, or masks by the secrets if mask is empty. nth counts
// them.
func (f *node) hide(mask string, secrets []string, nth *int) {
	if f.secret && f.text != "" {
		if *nth++; mask != "" {
			f.text = mask + strconv.Itoa(*nth)
		} else {
			f.text = secrets[*nth-1]
		}
	}
	if f.open {
		for _, b := range f.children {
			b.hide(mask, secrets, nth)
		}
	}
}

// typedJSON returns the typed JSON with the secrets in place of their masks.
func (p *Pane) typedJSON() []byte {
	data := []byte(p.raw.Value())
	for i := len(p.masks) - 1; i >= 0; i-- { // •••12 before •••1
		var quoted bytes.Buffer
		quote(&quoted, p.masks[i])
		data = bytes.ReplaceAll(data, []byte(strconv.Quote(a2a.Mask+strconv.Itoa(i+1))), quoted.Bytes())
	}
	return data
}

// syntaxError returns what is wrong with JSON, and where, empty if it is valid.
func syntaxError(data []byte) string {
	bad := jsontok.Check(data)
	if bad == nil {
		return ""
	}
	row, column := bad.Position(data)
	return fmt.Sprintf("This is not JSON: line %d, column %d: %s.", row, column, line(bad.Msg))
}

func compact(data []byte) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return data
	}
	return b.Bytes()
}

// secretsIn returns the secret values in an answer that was typed as JSON.
func (p *Pane) secretsIn(data []byte) []string {
	if p.why != "" {
		return nil
	}
	var v jsontok.Doc
	if v.Parse(data) != nil {
		return nil
	}
	count, cut := p.count, p.cut
	root := p.make("", p.doc.doc.Root(), true, nil)
	p.fill(root, v.Root())
	p.count, p.cut = count, cut
	return root.secrets(nil)
}
