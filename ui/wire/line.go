package wire

import (
	"charm.land/bubbles/v2/textinput"

	"parley/ui/styles"
)

// newInput returns a line to type in.
func newInput(st *styles.Styles, prompt string) textinput.Model {
	in := textinput.New()
	in.Prompt = prompt
	in.SetVirtualCursor(false)
	in.SetStyles(st.Input())
	in.KeyMap.Paste.Unbind()             // would read the clipboard of this machine, not the terminal's
	in.KeyMap.DeleteWordForward.Unbind() // panics on the last character
	in.KeyMap.NextSuggestion.Unbind()
	in.KeyMap.PrevSuggestion.Unbind()
	in.KeyMap.AcceptSuggestion.Unbind()
	return in
}
