package terminal

import (
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
)

// A Keyboard is the terminal's input with pasted text taken out of it: Bubble Tea reads a paste
// as keys, drops what is not text or looks like an answer of the terminal, and ignores all keys
// after a paste whose end never came. The Keyboard stores each paste and gives Bubble Tea its
// number to read; [Keyboard.Filter] replaces the number by the paste, so that keys and pastes
// stay in order.
type Keyboard struct {
	*os.File
	mu     sync.Mutex
	pastes pastes
	quiet  *time.Timer // runs since the last bytes of an open paste
	send   func(tea.Msg)
}

// NewKeyboard returns the keyboard of a terminal. It calls send with a paste whose end does not
// come.
func NewKeyboard(in *os.File, send func(tea.Msg)) *Keyboard { return &Keyboard{File: in, send: send} }

// widest is the ratio of what Read returns to what it has read, at most: a mark of six bytes
// becomes the mark and a number.
const widest = 4

// Read reads keys, and numbers in place of pastes.
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
		k.quiet = time.AfterFunc(pastePatience, crash.Guarded(k.stall))
	}
	return copy(p, out), err
}

// stall sends the part that was read of a paste that stopped.
func (k *Keyboard) stall() {
	k.mu.Lock()
	text := k.pastes.stall()
	k.mu.Unlock()
	if text != "" {
		k.send(tea.PasteMsg{Content: text})
	}
}

// Filter replaces the number of a paste by its text, and drops an empty paste.
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
