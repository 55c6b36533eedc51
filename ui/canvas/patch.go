package canvas

import "strings"

// A Patch replaces bytes of the plain text of a line, see [Plain].
type Patch struct {
	From, To int
	Text     string // one that is wider than what it replaces is cut
}

// Plain returns a line without its escape sequences.
func Plain(line string) string {
	if strings.IndexByte(line, esc) < 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	for {
		at := strings.IndexByte(line, esc)
		if at < 0 {
			b.WriteString(line)
			return b.String()
		}
		n, _ := escape(line[at:])
		b.WriteString(line[:at])
		line = line[at+n:]
	}
}

// Patched returns a line with patches, which are in order and do not overlap, in as many cells as
// before: where a replacement is shorter, what follows it moves to the left up to the next column,
// which begins behind two spaces, else up to the end.
func Patched(line string, patches []Patch) string {
	if len(patches) == 0 {
		return line
	}
	plain := Plain(line)
	var b strings.Builder
	b.Grow(len(line) + 16)
	p, owed := 0, 0 // bytes of plain that were read, cells that are missing
	for i := 0; i < len(line); {
		if line[i] == esc {
			n, _ := escape(line[i:])
			b.WriteString(line[i : i+n])
			i += n
			continue
		}
		if len(patches) > 0 && p >= patches[0].To {
			patches = patches[1:]
			continue
		}
		if len(patches) > 0 && p >= patches[0].From {
			if at := patches[0]; p == at.From {
				w := Width(plain[at.From:at.To])
				text := Ellipsize(at.Text, w, "")
				b.WriteString(text)
				owed += w - Width(text)
			}
			i, p = i+1, p+1
			continue
		}
		if owed > 0 && strings.HasPrefix(plain[p:], "  ") {
			b.WriteString(spaces(owed))
			owed = 0
		}
		b.WriteByte(line[i])
		i, p = i+1, p+1
	}
	return b.String() + spaces(owed)
}

// WithoutLinks returns a line without its links (OSC 8) to addresses of which hidden reports true.
// Their texts stay.
func WithoutLinks(line string, hidden func(address string) bool) string {
	if !strings.Contains(line, "\x1b]8;") {
		return line
	}
	var b strings.Builder
	dropped := false
	for i := 0; i < len(line); {
		if line[i] != esc {
			b.WriteByte(line[i])
			i++
			continue
		}
		n, kind := escape(line[i:])
		seq := line[i : i+n]
		i += n
		if kind == escapeLink {
			closes := linkCloses(seq)
			if dropped && closes {
				dropped = false
				continue
			}
			if dropped = !closes && hidden(seq); dropped {
				continue
			}
		}
		b.WriteString(seq)
	}
	return b.String()
}
