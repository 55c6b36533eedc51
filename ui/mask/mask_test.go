package mask

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/present"
)

const secret = "Zk7-x9/Qw_4mB-tok"

func maskOf(values ...string) *Mask {
	var s a2a.Secrets
	s.Know(values...)
	return New(&s)
}

func TestSecretsInRowsAreMasked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ rows, want []string }{
		"nothing":                     {[]string{"│ hello   │", "│ Zk7-x9  │"}, []string{"│ hello   │", "│ Zk7-x9  │"}},
		"one row":                     {[]string{"you sent " + secret + " to me   "}, []string{"you sent ••• to me" + strings.Repeat(" ", len(secret))}},
		"two rows":                    {[]string{"│ you sent Zk7-x9/", "│ Qw_4mB-tok to me"}, []string{"│ you sent •••    ", "│  to me          "}},
		"three rows":                  {[]string{"  Zk7-x9 ", "", "  /Qw_4 ", "  mB-tok."}, []string{"  •••    ", "", "        ", "  .      "}},
		"what the terminal decorates": {[]string{"\x1b[1mZk7-x9\x1b[m/Qw_\x1b[3m4mB\x1b[m-tok  x"}, []string{"\x1b[1m•••\x1b[m\x1b[3m\x1b[m              \x1b[0m  x"}},
		"a link":                      {[]string{"\x1b]8;;https://x/?t=" + secret + "\x1b\\here\x1b]8;;\x1b\\ it is"}, []string{"here it is"}},
		"entities":                    {[]string{"&#90;k7-x9/Qw_4mB-tok"}, []string{"•••" + strings.Repeat(" ", len("&#90;k7-x9/Qw_4mB-tok")-3)}},
	} {
		got := maskOf(secret).Rows(present.Talk, c.rows, Nowhere)
		for y := range c.rows {
			if canvas.Width(got[y]) != canvas.Width(c.rows[y]) {
				t.Errorf("%s: row %d is %d cells wide, want %d as before", name, y, canvas.Width(got[y]), canvas.Width(c.rows[y]))
			}
			if strip(got[y]) != strip(c.want[y]) {
				t.Errorf("%s: got row %q, want %q", name, strip(got[y]), strip(c.want[y]))
			}
		}
	}
}

func strip(row string) string { return strings.TrimRight(canvas.Plain(row), " ") }

func TestWhatTheUserTypesIsShown(t *testing.T) {
	t.Parallel()
	rows := []string{secret, "> " + secret, secret}
	if got := maskOf(secret).Rows(present.Overlay, rows, 1); strip(got[0]) != a2a.Mask || got[1] != rows[1] || strip(got[2]) != a2a.Mask {
		t.Errorf("got rows %q, want all masked but the second", got)
	}
}

func TestWordsOfLettersAreDrawn(t *testing.T) {
	t.Parallel()
	rows := []string{"The conversation has " + "conversation" + "s."}
	if got := maskOf("conversation").Rows(present.Talk, rows, Nowhere); !slices.Equal(got, rows) {
		t.Errorf("got %q, want the words of the screen", got)
	}
}

// A row that did not change is not read again, also at another place, and rows that did not change are not
// searched again.
func TestOnlyRowsThatChangedAreRead(t *testing.T) {
	t.Parallel()
	m := maskOf(secret)
	var rows []string
	for range 50 {
		rows = append(rows, strings.Repeat("a", len(rows)))
	}
	m.Rows(present.Talk, rows, Nowhere)
	if m.reads != 50 {
		t.Errorf("got %d rows read, want all 50", m.reads)
	}
	m.Rows(present.Talk, slices.Clone(rows), Nowhere)
	scrolled := append(slices.Clone(rows[1:]), secret)
	got := m.Rows(present.Talk, scrolled, Nowhere)
	if m.reads != 51 || strip(got[49]) != a2a.Mask {
		t.Errorf("got %d rows read and %q in the last one, want 51 and the mask", m.reads, got[49])
	}
	same := []string{"x"}
	if got := New(nil).Rows(present.Talk, same, Nowhere); &got[0] != &same[0] {
		t.Error("got copied rows in a session without secrets, want the same ones")
	}
}

// However rows change, scroll and come back, what is shown is what a mask shows that sees the rows for the first
// time.
func FuzzRows(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 250, 4, 5, 3, 3, 1, 250, 251, 9})
	pieces := []string{"", "hello", "Zk7-x9", "/Qw_4", "mB-tok", secret, "│ Zk7-x9/Qw_", "  4mB-tok and more", "**", strings.Repeat("long ", 40)}
	f.Fuzz(func(t *testing.T, steps []byte) {
		m := maskOf(secret)
		var rows []string
		for _, step := range steps {
			switch n := int(step); {
			case n >= 252 && len(rows) > 0:
				rows = rows[1:]
			case n >= 248 && len(rows) > 1:
				at := n % len(rows)
				rows = append(slices.Clone(rows[at:]), rows[:at]...)
			case n >= 128 && len(rows) > 0:
				rows = slices.Clone(rows)
				rows[n%len(rows)] = pieces[n%len(pieces)]
			default:
				rows = append(slices.Clone(rows), pieces[n%len(pieces)])
			}
			if got, want := m.Rows(present.Talk, rows, Nowhere), maskOf(secret).Rows(present.Talk, rows, Nowhere); !slices.Equal(got, want) {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	})
}

// A secret that becomes known later is masked in rows that did not change.
func TestALaterSecretIsMaskedInOldRows(t *testing.T) {
	t.Parallel()
	var s a2a.Secrets
	s.Know("something-else-1")
	m, rows := New(&s), []string{"it says " + secret}
	m.Rows(present.Talk, rows, Nowhere)
	s.Add(secret)
	if got := m.Rows(present.Talk, rows, Nowhere); strip(got[0]) != "it says "+a2a.Mask {
		t.Errorf("got %q, want the secret masked", got)
	}
	if got := m.Line("title " + secret); got != "title "+a2a.Mask {
		t.Errorf("got title %q", got)
	}
}

// A pane may write its next rows into the same memory. What is shown is what the caller gives.
func TestRowsThatAreReusedAreShownAsTheyAre(t *testing.T) {
	t.Parallel()
	m, reused := maskOf(secret), []string{"one", "two"}
	m.Rows(present.Talk, reused, Nowhere)
	reused[0] = "other"
	if got := m.Rows(present.Talk, []string{"one", "two"}, Nowhere); got[0] != "one" {
		t.Errorf("got %q, want the rows that were given", got)
	}
}

func BenchmarkRows(b *testing.B) {
	rows := make([]string, 60)
	for y := range rows {
		rows[y] = "\x1b[38;5;8m│\x1b[m " + strings.Repeat("The Lamplighter, Bloomsbury. ", 6) + "\x1b[m"
	}
	for name, m := range map[string]*Mask{"none": New(nil), "one": maskOf(secret)} {
		b.Run(name+" unchanged", func(b *testing.B) {
			for b.Loop() {
				m.Rows(present.Talk, rows, Nowhere)
			}
		})
		b.Run(name+" one row changes", func(b *testing.B) {
			changed := [2][]string{rows, slices.Clone(rows)}
			changed[1][59] = "other"
			for i := 0; b.Loop(); i++ {
				m.Rows(present.Talk, changed[i%2], Nowhere)
			}
		})
	}
}
