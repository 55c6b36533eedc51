package compare

import (
	"encoding/json"
	"time"
)

// JSON returns the result as a JSON document. docs/compare.md describes its members.
func (r *Result) JSON() ([]byte, error) {
	d := document{Differ: r.Differs(), First: r.First, Second: r.Second, Rules: r.Rules, Notes: r.Notes}
	for _, a := range r.Aspects {
		d.Aspects = append(d.Aspects, aspectDocument(a))
	}
	for i := range r.Prompts {
		d.Prompts = append(d.Prompts, documentOf(&r.Prompts[i]))
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		d.Findings = append(d.Findings, findingDocument{f.Rule, f.Severity.String(), f.Message, f.First, f.Second, uint64(f.FirstAt), uint64(f.SecondAt)})
	}
	for _, c := range r.Cards {
		k := cardDocument{First: c.First, Second: c.Second, Note: c.Why, Changes: []string{}}
		for _, change := range c.Changes {
			k.Changes = append(k.Changes, change.Sentence)
		}
		d.Cards = append(d.Cards, k)
	}
	return json.MarshalIndent(d, "", "  ")
}

// The members of the document.
type (
	document struct {
		Differ   bool              `json:"differ"`
		First    SideResult        `json:"first"`
		Second   SideResult        `json:"second"`
		Aspects  []aspectDocument  `json:"aspects"`
		Prompts  []promptDocument  `json:"prompts"`
		Findings []findingDocument `json:"findings,omitempty"`
		Cards    []cardDocument    `json:"cards,omitempty"`
		Rules    []string          `json:"rules"`
		Notes    []string          `json:"notes,omitempty"`
	}
	aspectDocument struct {
		Aspect Aspect `json:"aspect"`
		Differ int    `json:"differ"`
		Of     int    `json:"of"`
		Counts bool   `json:"counts"`
	}
	promptDocument struct {
		Number      int                  `json:"number"`
		Text        string               `json:"text"`
		Other       string               `json:"otherText,omitempty"`
		Differ      []Aspect             `json:"differ"`
		First       *answerDocument      `json:"first"`
		Second      *answerDocument      `json:"second"`
		Differences []differenceDocument `json:"differences,omitempty"`
		More        int                  `json:"moreDifferences,omitempty"`
		Answer      []string             `json:"answer,omitempty"`
		Lines       int                  `json:"differentLines,omitempty"`
		Cut         bool                 `json:"answerCut,omitempty"`
	}
	answerDocument struct {
		Record uint64         `json:"record"`
		States []string       `json:"states"`
		Timing timingDocument `json:"timing"`
	}
	timingDocument struct {
		FirstByte *float64 `json:"firstByteMs"`
		Gap       *float64 `json:"gapP50Ms"`
		LongGap   *float64 `json:"gapMaxMs"`
		Total     *float64 `json:"totalMs"`
		Events    int      `json:"events"`
	}
	differenceDocument struct {
		Aspect Aspect `json:"aspect"`
		At     string `json:"at,omitempty"`
		First  string `json:"first"`
		Second string `json:"second"`
	}
	findingDocument struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
		First    int    `json:"first"`
		Second   int    `json:"second"`
		FirstAt  uint64 `json:"firstRecord,omitempty"`
		SecondAt uint64 `json:"secondRecord,omitempty"`
	}
	cardDocument struct {
		First   string   `json:"first"`
		Second  string   `json:"second"`
		Changes []string `json:"changes"`
		Note    string   `json:"note,omitempty"`
	}
)

// documentOf returns the document of a prompt.
func documentOf(p *Prompt) promptDocument {
	d := promptDocument{
		Number: p.Number, Text: p.Text, Other: p.Other, Differ: append([]Aspect{}, p.aspects...), First: answerOf(p.First), Second: answerOf(p.Second),
		More: p.More, Lines: p.Answer.Differ, Cut: p.Answer.Cut,
	}
	for _, x := range p.Differences {
		d.Differences = append(d.Differences, differenceDocument(x))
	}
	for _, l := range p.Answer.Lines {
		if l.Mark == Words {
			l.Mark = '@'
		}
		d.Answer = append(d.Answer, string(l.Mark)+l.Text)
	}
	return d
}

func answerOf(a *Answered) *answerDocument {
	if a == nil {
		return nil
	}
	t := &a.Timing
	return &answerDocument{uint64(a.Record), a.States, timingDocument{ms(t.FirstByte), ms(t.Gap), ms(t.LongGap), ms(t.Total), t.Events}}
}

// ms returns a time in milliseconds, nil if it is unknown.
func ms(d time.Duration) *float64 {
	if d < 0 {
		return nil
	}
	f := float64(d.Microseconds()) / 1000
	return &f
}
