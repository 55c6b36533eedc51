package terminal

import (
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Keyboard is the terminal's input with the pasted text taken out of it: Bubble Tea
// reads a paste as keys, drops what is no text or looks like an answer of the terminal,
// and hears no key any more after a paste whose end never came. A paste is kept here, as
// it came, and Bubble Tea is given its number to read; [Keyboard.Filter] puts it back,
// so that keys and pastes stay in order.
type Keyboard struct {
	*os.File
	mu     sync.Mutex
	pastes pastes
	quiet  *time.Timer // since the last bytes of a paste that is open
	send   func(tea.Msg)
}

// NewKeyboard returns the keyboard of a terminal. A paste whose end never comes is given to
// send.
func NewKeyboard(in *os.File, send func(tea.Msg)) *Keyboard { return &Keyboard{File: in, send: send} }

// widest is how many times as long what Read returns may be as what it has read: a mark
// of six bytes becomes that and a number.
const widest = 4

// Read reads keys, and numbers in the place of pastes.
func (k *Keyboard) Read(p []byte) (int, error) {
	n, err := k.File.Read(p[:max(1, len(p)/widest)])
	if n <= 0 {
		return n, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	out := k.pastes.feed(p[:n:n])
	if k.quiet != nil {
		k.quiet.Stop()
	}
	if k.pastes.open {
		k.quiet = time.AfterFunc(pastePatience, k.stall)
	}
	return copy(p, out), err
}

// stall hands on what there is of a paste that does not go on.
func (k *Keyboard) stall() {
	k.mu.Lock()
	text := k.pastes.stall()
	k.mu.Unlock()
	if text != "" {
		k.send(tea.PasteMsg{Content: text})
	}
}

// Filter puts pastes back in the place of their numbers, and passes on nothing for an
// empty one.
func (k *Keyboard) Filter(msg tea.Msg) tea.Msg {
	paste, ok := msg.(tea.PasteMsg)
	if !ok {
		return msg
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if text, ok := k.pastes.take(paste.Content); ok {
		paste.Content = text
	}
	if paste.Content == "" {
		return nil
	}
	return paste
}
