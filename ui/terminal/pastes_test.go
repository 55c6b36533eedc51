package terminal

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
)

// read feeds input in pieces of a length and returns what a program reads: keys, and the
// pastes in brackets.
func (p *pastes) read(input string, length int) string {
	var out []byte
	for len(input) > 0 {
		n := min(length, len(input))
		out = append(out, p.feed([]byte(input[:n]))...)
		input = input[n:]
	}
	return p.shown(string(out))
}

// shown replaces the numbers by the pastes.
func (p *pastes) shown(read string) string {
	var b strings.Builder
	for {
		keys, rest, ok := strings.Cut(read, pasteStart)
		b.WriteString(keys)
		if !ok {
			return b.String()
		}
		number, after, ended := strings.Cut(rest, pasteEnd)
		text, _ := p.take(number)
		b.WriteString("[" + text)
		if ended {
			b.WriteString("]")
		}
		read = after
	}
}

func TestPastesAreTakenOutOfTheInputWhole(t *testing.T) {
	nasty := "\x00\x01\xff\xfe\x1b[A\x1b[<0;1;1M\x1b[200~\x1b[201\r\n\x1b]0;t\a"
	for input, want := range map[string]string{
		"abc": "abc",
		"a" + pasteStart + "b\rc" + pasteEnd + "d":                "a[b\rc]d",
		pasteStart + pasteEnd:                                     "[]",
		pasteStart + nasty + pasteEnd + "\x1b[A":                  "[" + nasty + "]\x1b[A",
		pasteStart + "1" + pasteEnd + pasteStart + "2" + pasteEnd: "[1][2]",
		"\x1b\x1b" + pasteStart[1:] + "x" + pasteEnd:              "\x1b[x]",
		"\x1b[20\x1b[200~x" + pasteEnd:                            "\x1b[20[x]",
	} {
		for length := 1; length <= len(input); length++ {
			var p pastes
			if got := p.read(input, length); got != want {
				t.Fatalf("%q in pieces of %d: %q, want %q", input, length, got, want)
			}
			if len(p.texts) > 0 {
				t.Fatalf("%q: got paste %q left over, want none", input, p.texts)
			}
		}
	}
}

func TestAPasteWithoutAnEndDoesNotSwallowTheKeys(t *testing.T) {
	var p pastes
	if got := p.read("a"+pasteStart+"half", 100); got != "a[" {
		t.Fatalf("read %q, want the letter and the mark alone", got)
	}
	if got := p.stall(); got != "half" {
		t.Fatalf("stall returned %q, want half", got)
	}
	if got := string(p.feed([]byte(" and more of it, after a pause"))); got != "" {
		t.Fatalf("got the rest of the paste as keys %q, want none", got)
	}
	if got := p.stall(); got != " and more of it, after a pause" {
		t.Fatalf("stall returned %q, want the rest", got)
	}
	if got := string(p.feed([]byte("\x1b[A"))); got != pasteEnd+"\x1b[A" {
		t.Errorf("got %q for a key after the stalled paste, want the end of the paste and the key", got)
	}
	if got := string(p.feed([]byte("x"))); got != "x" || p.stall() != "" {
		t.Errorf("got %q for the next key, want x", got)
	}
}

func TestALateEndEndsAPaste(t *testing.T) {
	var p pastes
	p.feed([]byte(pasteStart + "half"))
	p.stall()
	if got := string(p.feed([]byte(pasteEnd + "k"))); got != pasteEnd+"k" {
		t.Errorf("got %q for the late end of the paste and a key, want both", got)
	}
}

func TestCtrlCIsHeardInAPaste(t *testing.T) {
	var p pastes
	read := string(p.feed([]byte(pasteStart + "half")))
	read += string(p.feed([]byte(interrupt)))
	if got := p.shown(read); got != "[half]\x03" {
		t.Errorf("ctrl+c in a paste reads as %q, want the paste closed and ctrl+c", got)
	}
	read = string(p.feed([]byte(pasteStart+"more"))) + string(p.feed([]byte(interrupt+interrupt))) // pressed again
	if got := p.shown(read); got != "[more]\x03\x03" {
		t.Errorf("ctrl+c pressed twice reads as %q, want the paste closed and both", got)
	}
}

func TestTenMegabytesArePastedAtOnce(t *testing.T) {
	var p pastes
	text := strings.Repeat("0123456789abcde\n", 10<<20/16)
	if got := p.read(pasteStart+text+pasteEnd, 1024); got != "["+text+"]" {
		t.Errorf("got %d bytes of a paste of %d, want all of them", len(got), len(text))
	}
}

// A keyboard never returns more bytes than fit.
func TestAKeyboardReadsWithinItsBuffer(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	k := NewKeyboard(r, nil)
	input := strings.Repeat(pasteStart+"\x00"+pasteEnd, 2000)
	go func() {
		_, _ = w.WriteString(input + "end")
		w.Close()
	}()
	var all []byte
	buf := make([]byte, 4096)
	for {
		n, err := k.Read(buf)
		all = append(all, buf[:n]...)
		if err != nil {
			break
		}
	}
	if got := k.pastes.shown(string(all)); got != strings.Repeat("[\x00]", 2000)+"end" {
		t.Errorf("read %d bytes, which begin with %.80q, want 2000 pastes and the end", len(all), got)
	}
}

func TestAKeyboardHandsOnAPasteThatDoesNotGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan tea.Msg, 1)
		k := &Keyboard{send: func(msg tea.Msg) { got <- msg }}
		k.pastes.feed([]byte(pasteStart + "half"))
		k.stall()
		if msg := <-got; msg != (tea.PasteMsg{Content: "half"}) {
			t.Errorf("stall sent %v, want the paste half", msg)
		}
		read := k.pastes.feed([]byte("k"))
		if string(read) != pasteEnd+"k" || k.Filter(tea.PasteMsg{}) != nil {
			t.Errorf("after the stalled paste it reads %q, want the end mark and k", read)
		}
		k.pastes.feed([]byte(pasteStart + "whole" + pasteEnd))
		if msg := k.Filter(tea.PasteMsg{Content: "1"}); msg != (tea.PasteMsg{Content: "whole"}) {
			t.Errorf("Filter replaced the number by %v, want the paste whole", msg)
		}
		if msg := k.Filter(tea.FocusMsg{}); msg != (tea.FocusMsg{}) {
			t.Errorf("Filter of another message: got %v, want it unchanged", msg)
		}
	})
}

func FuzzInputIsReadWhole(f *testing.F) {
	f.Add("a"+pasteStart+"b"+pasteEnd+"c", 3)
	f.Add("\x1b[200\x1b[200~"+pasteEnd, 1)
	f.Add(pasteStart+"\x1b[201\x1b[201~", 2)
	f.Fuzz(func(t *testing.T, input string, length int) {
		var whole, split pastes
		length = max(1, min(length, 64))
		if strings.Contains(input, interrupt) {
			return // it may be a piece of its own
		}
		a := whole.read(input, max(1, len(input)))
		if b := split.read(input, length); a != b {
			t.Fatalf("%q: got %q in one read, want %[4]q as in pieces of %[3]d", input, a, length, b)
		}
		if !strings.Contains(input, pasteStart) && a != input {
			t.Fatalf("%q without a paste: got %q, want it unchanged", input, a)
		}
	})
}
