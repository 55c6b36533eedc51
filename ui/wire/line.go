package wire

import (
	"parley/ui/keys"
	"parley/ui/styles"
)

// newInput returns a line to type in.
func newInput(st *styles.Styles, prompt string) keys.Input {
	in := keys.NewInput()
	in.Prompt = prompt
	in.SetStyles(st.Input())
	in.KeyMap.NextSuggestion.Unbind()
	in.KeyMap.PrevSuggestion.Unbind()
	in.KeyMap.AcceptSuggestion.Unbind()
	return in
}
