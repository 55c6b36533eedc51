package redact

import (
	"strings"

	"parley/a2a"
	"parley/session/export/excerpt"
	"parley/session/model"
)

// A piece is the part of a match that one chunk of an artifact contains: the end of its text,
// the beginning, or all of it.
type piece struct {
	text       string
	begin, end bool // the text may begin or end in the middle of a match
}

// in returns where the text of a value is a piece.
func (p *piece) in(value string) (from, to int, ok bool) {
	switch {
	case p.begin && p.end:
		return 0, len(value), value == p.text
	case p.begin:
		return 0, len(p.text), strings.HasPrefix(value, p.text)
	default:
		return len(value) - len(p.text), len(value), strings.HasSuffix(value, p.text)
	}
}

// Learn finds what chunks divide, in a state that was made without masks: afterwards
// [Patterns.Record] masks the pieces too.
func (p *Patterns) Learn(s *model.State) {
	p.pieces = map[a2a.RecordID][]piece{}
	for _, a := range excerpt.Agents(s) {
		for _, c := range a.Conversations {
			for _, t := range c.Tasks {
				for _, artifact := range t.Artifacts {
					p.learn(artifact)
				}
			}
		}
	}
}

// learn finds the matches in the text of an artifact that more than one record brought.
func (p *Patterns) learn(a *model.Artifact) {
	if len(a.Spans) < 2 {
		return
	}
	for _, re := range p.all {
		for _, m := range re.FindAllIndex(a.Text, -1) {
			for i, s := range a.Spans {
				end := len(a.Text)
				if i+1 < len(a.Spans) {
					end = a.Spans[i+1].Offset
				}
				from, to := max(m[0], s.Offset), min(m[1], end)
				if from >= to || m[0] >= s.Offset && m[1] <= end {
					continue
				}
				p.pieces[s.Record] = append(p.pieces[s.Record], piece{string(a.Text[from:to]), from == s.Offset, to == end})
			}
		}
	}
}
