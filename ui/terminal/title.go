package terminal

import (
	"bytes"

	"github.com/charmbracelet/x/ansi"
)

// A titleKeeper makes the terminal save its own title before the renderer sets the first one,
// and restore it when the renderer, which only empties it, gives the terminal away. Terminals
// without a title stack ignore both, and have no title then.
type titleKeeper struct{ saved bool }

var (
	setsTitle   = []byte("\x1b]2;")
	clearsTitle = []byte(ansi.SetWindowTitle(""))
	saveTitle   = []byte(ansi.WindowOp(22, 2))
	takeTitle   = []byte(ansi.WindowOp(23, 2))
)

// keep returns the renderer's bytes with the requests to save and to restore the title.
func (k *titleKeeper) keep(p []byte) []byte {
	if !k.saved {
		if !bytes.Contains(p, setsTitle) {
			return p
		}
		k.saved = true
		p = append(bytes.Clone(saveTitle), p...)
	}
	if at := bytes.LastIndex(p, clearsTitle); at >= 0 {
		k.saved = false
		end := at + len(clearsTitle)
		p = append(append(bytes.Clone(p[:end]), takeTitle...), p[end:]...)
	}
	return p
}
