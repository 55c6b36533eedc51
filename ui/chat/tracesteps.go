package chat

import (
	"strings"

	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/styles"
)

const (
	maxTraceSteps = 200 // that are drawn
	maxStepText   = 400 // bytes of a name or an error
)

// traceSteps draws the tree of what an agent did, a row for each step.
func (k *renderer) traceSteps(all []model.TraceStep, w int) []string {
	var out []string
	for i := range all[:min(len(all), maxTraceSteps)] {
		out = append(out, k.truncate(k.traceStep(&all[i]), w))
	}
	if more := len(all) - maxTraceSteps; more > 0 {
		out = append(out, k.truncate(k.st.Faint.S(k.st.G[styles.Ellipsis]+" "+units.Plural(more, "more step")+" in the wire pane"), w))
	}
	return out
}

// traceStep draws one step: its place in the tree, its kind and name, and its figures.
func (k *renderer) traceStep(s *model.TraceStep) string {
	clean := func(text string) string {
		return canvas.SanitizeLine(strings.ToValidUTF8(text[:min(len(text), maxStepText)], ""))
	}
	name := k.st.Text.S(clean(s.Name))
	if s.Kind != "" {
		name = k.st.Dim.S(clean(s.Kind)) + " " + name
	}
	var figures []string
	switch {
	case s.Timed:
		figures = append(figures, units.Duration(s.Took))
	case s.Latency != "":
		figures = append(figures, "latency "+clean(s.Latency))
	}
	if s.Tokens != "" && s.Tokens != "0" {
		figures = append(figures, clean(s.Tokens)+" tokens")
	}
	if s.Cost != "" && s.Cost != "0" {
		figures = append(figures, "cost "+clean(s.Cost))
	}
	line := k.st.Faint.S(k.branch(s)) + name
	if len(figures) > 0 {
		line += "  " + k.st.Faint.S(strings.Join(figures, " "+k.st.G[styles.Separator]+" "))
	}
	if s.Loop {
		line += "  " + k.st.Waiting.S("its parents lead back to it")
	}
	if s.Error != "" {
		line += "  " + k.st.Failed.S(clean(s.Error))
	}
	return line
}

// branch returns the lines in front of a step. Of a deep one they are the nearest.
func (k *renderer) branch(s *model.TraceStep) string {
	if s.Depth == 0 {
		return ""
	}
	var b strings.Builder
	if s.Depth > len(s.Rails)+1 {
		b.WriteString(k.st.G[styles.Ellipsis])
	}
	for _, more := range s.Rails {
		if more {
			b.WriteString(k.st.G[styles.Vertical] + " ")
		} else {
			b.WriteString("  ")
		}
	}
	if s.Last {
		return b.String() + k.st.G[styles.LastBranch] + " "
	}
	return b.String() + k.st.G[styles.Branch] + " "
}
