package card

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/internal/signature"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/editor"
	"parley/ui/keys"
	"parley/ui/markdown"
	"parley/ui/styles"
)

// labelWidth is the column in which values begin.
const labelWidth = 16

// A builder makes the lines of a card.
type builder struct {
	st      *styles.Styles
	keys    func(action.ID) key.Binding // those of an action
	w, half int                         // columns of the lines, and of each half where there is room for two beside each other, else 0
	lines   []string
	right   []string // what stands beside the lines in the right half; shorter than they are, or empty
	entries []entry
	results []signature.Result // on the signatures, in their order; nil as long as unknown

	verdict   *lint.Verdict // on the card, nil as long as unknown
	approval  string        // how the card differs from the approved one, empty if none was approved
	needsUser bool          // it has to be approved
}

func (b *builder) row(text string) { b.lines = append(b.lines, text) }

func (b *builder) gap() {
	if n := len(b.lines); n > 0 && b.lines[n-1] != "" {
		b.row("")
	}
}

// section begins a part of the card.
func (b *builder) section(name string) {
	b.gap()
	b.row(b.st.Accent.Bold().S(name))
}

// field shows a label and a value of any length, wrapped beside its label. An empty value is
// omitted.
func (b *builder) field(label, value string) { b.painted(label, value, b.st.Text) }

func (b *builder) painted(label, value string, paint styles.Paint) {
	if value == "" {
		return
	}
	l := canvas.Label{Text: canvas.SanitizeLine(label), W: labelWidth, Paint: b.st.Faint}
	for _, row := range canvas.WrapLabeled(l, canvas.Sanitize(value), b.w, paint) {
		b.row(row)
	}
}

// address shows a URL, and its host if the URL hides it.
func (b *builder) address(label, url string) {
	b.field(label, url)
	b.leadsTo(url)
}

func (b *builder) leadsTo(url string) {
	if host := canvas.HiddenHost(url); host != "" {
		b.painted("", "leads to "+host, b.st.Waiting)
	}
}

// prose shows a description, which is markdown.
func (b *builder) prose(text string, indent int) {
	if text == "" {
		return
	}
	pad := strings.Repeat(" ", indent)
	for _, l := range markdown.Render(b.st, text, max(8, b.w-indent)) {
		b.row(pad + l)
	}
}

// json shows raw JSON, indented; invalid JSON is shown unchanged.
func (b *builder) json(raw []byte) {
	var buf bytes.Buffer
	if json.Indent(&buf, raw, "", "  ") != nil {
		buf.Reset()
		buf.Write(raw)
	}
	for text := range strings.SplitSeq(canvas.Sanitize(buf.String()), "\n") {
		for _, l := range canvas.Wrap(paintJSON(b.st, text), max(1, b.w)) {
			b.row(l)
		}
	}
}

// paintJSON returns a line of JSON in colours.
func paintJSON(st *styles.Styles, line string) string {
	var out strings.Builder
	paint, from, last := editor.JSON(st, line), 0, styles.Paint{}
	for i := range line {
		if now := paint(i); now != last {
			out.WriteString(last.S(line[from:i]))
			from, last = i, now
		}
	}
	return out.String() + last.S(line[from:])
}

// agent shows everything known about an agent.
func (b *builder) agent(a *model.Agent) {
	if a.Problem != "" {
		b.painted("", a.Problem, b.st.Failed)
		b.gap()
	}
	if a.Card == nil && a.Away() {
		b.painted("", "The card appears here when the agent answers; "+keys.Name(b.keys(getAgain))+" tries now.", b.st.Faint)
		b.gap()
	}
	b.extended(&a.Extended)
	b.changes(a)
	c := a.Card
	facts := func(b *builder) {
		if c != nil {
			b.capabilities(a)
			b.interfaces(c)
			b.security(c)
			b.unknown("Members that no dialect defines", c.Unknown)
		}
		b.profile(&a.Profile)
		b.evidence(&a.Profile)
		b.attempts(a.Attempts)
	}
	switch {
	case c != nil && b.half > 0:
		b.beside(
			func(b *builder) { b.introduction(c); b.skills(c) },
			func(b *builder) { b.identity(c); facts(b) },
		)
	case c != nil:
		b.introduction(c)
		b.gap()
		b.identity(c)
		b.skills(c)
		facts(b)
	default:
		facts(b)
	}
}

// trust shows whether the card is signed, and as the user approved it.
func (b *builder) trust(c *a2a.Card) {
	words, paint := "unsigned", b.st.Text
	if len(c.Signatures) > 0 {
		words = "signed, not verified yet"
	}
	if best, ok := signature.Best(b.results); ok {
		words = "signature " + best.Verdict.String()
		if best.Verdict == signature.Broken {
			paint = b.st.Failed
		}
	}
	if b.approval != "" {
		words += "; " + b.approval
	}
	if b.needsUser {
		paint = b.st.Waiting
	}
	b.painted("trust", words, paint)
}

// rules shows what the rules say about the card: its score, and each finding with its member.
func (b *builder) rules() {
	if b.verdict == nil {
		return
	}
	valid, paint := "valid", b.st.Text
	if !b.verdict.Valid() {
		valid, paint = "not valid", b.st.Failed
	}
	b.painted("rules", fmt.Sprintf("%s, score %d of 100", valid, b.verdict.Score), paint)
	const most = 12
	for i, f := range slices.Concat(b.verdict.Errors, b.verdict.Others) {
		if i == most {
			b.painted("", "and "+units.Count(len(b.verdict.Errors)+len(b.verdict.Others)-most)+" more", b.st.Faint)
			return
		}
		b.inRows("", strings.TrimSpace(f.Severity.String()+" "+f.Rule+" "+f.Pointer)+": "+f.Message, b.st.Text)
	}
}

// introduction shows the name and the description of an agent.
func (b *builder) introduction(c *a2a.Card) {
	version := ""
	if c.Version != "" {
		version = "  agent version " + canvas.SanitizeLine(c.Version)
	}
	b.row(b.st.Bold.S(canvas.SanitizeLine(c.Name)) + b.st.Faint.S(version))
	b.prose(c.Description, 0)
}

func (b *builder) identity(c *a2a.Card) {
	if c.Provider != nil {
		b.field("provider", strings.TrimSpace(c.Provider.Organization+"  "+c.Provider.URL))
		b.leadsTo(c.Provider.URL)
	}
	b.address("documentation", c.DocumentationURL)
	b.address("icon", c.IconURL)
	b.field("protocol", c.ProtocolVersion)
	b.field("takes", strings.Join(c.DefaultInputModes, ", "))
	b.field("gives", strings.Join(c.DefaultOutputModes, ", "))
	b.address("read from", c.SourceURL)
	b.rules()
	b.trust(c)
	if c.Dual {
		b.field("note", "this card contains members of both 0.3 and 1.0")
	}
	if c.SnakeCase {
		b.field("note", "member names are snake_case; the protocol writes camelCase")
	}
}

func (b *builder) skills(c *a2a.Card) {
	if len(c.Skills) == 0 {
		return
	}
	b.section("Skills")
	for i := range c.Skills {
		s := &c.Skills[i]
		if i > 0 {
			b.gap()
		}
		name := b.st.Bold.S(canvas.SanitizeLine(s.Name))
		b.row(name + "  " + b.st.Faint.S(canvas.SanitizeLine(s.ID)))
		b.prose(s.Description, 0)
		b.field("tags", strings.Join(s.Tags, ", "))
		b.field("takes", strings.Join(s.InputModes, ", "))
		b.field("gives", strings.Join(s.OutputModes, ", "))
		b.field("needs", requirements(s.Security))
		for j := range s.Examples {
			b.example(&s.Examples[j])
		}
		b.unknown("", s.Unknown)
	}
}

// example is an entry; its number is its key.
func (b *builder) example(e *a2a.Example) {
	n := len(b.entries) + 1 // examples are the first entries
	mark := " "
	if n <= 9 {
		mark = strconv.Itoa(n)
	}
	text, kind := e.Text, ""
	if len(e.Data) > 0 {
		kind = b.st.Agent.S("{ } ")
		if text == "" {
			text = string(e.Data)
		}
	}
	text = canvas.Ellipsize(canvas.SanitizeLine(text), max(8, b.w-8), b.st.G[styles.Ellipsis])
	b.entry(entry{example: e}, func() {
		b.row(b.st.Accent.S(mark) + " " + b.st.User.S(b.st.G[styles.Send]) + " " + kind + b.st.Text.S(text))
	})
}

func (b *builder) capabilities(a *model.Agent) {
	caps := a.Card.Capabilities
	b.section("Capabilities")
	for _, cap := range []struct {
		name string
		has  a2a.Tri
	}{
		{"streaming", caps.Streaming},
		{"push", caps.PushNotifications},
		{"state history", caps.StateTransitionHistory},
		{"extended card", caps.ExtendedAgentCard},
	} {
		switch cap.has {
		case a2a.True:
			b.painted(cap.name, b.st.G[styles.Done]+" yes", b.st.OK)
		case a2a.False:
			b.painted(cap.name, "no", b.st.Dim)
		default:
			b.painted(cap.name, "not declared", b.st.Faint)
		}
	}
	b.extensions(a)
}

// extensions shows the declared extensions, and whether they are requested and used.
func (b *builder) extensions(a *model.Agent) {
	for i := range a.Card.Capabilities.Extensions {
		e := &a.Card.Capabilities.Extensions[i]
		label, value, paint := "extension", e.URI, b.st.Text
		if e.Required {
			label = "required ext."
		}
		for _, is := range []struct {
			so    bool
			words string
			paint styles.Paint
		}{
			{slices.Contains(a.Extensions.Missing, e.URI), "not requested", b.st.Waiting},
			{slices.Contains(a.Extensions.Chosen, e.URI), "requested", b.st.Accent},
			{slices.Contains(a.Extensions.Active, e.URI), "in use", b.st.OK},
		} {
			if is.so {
				value, paint = value+" "+b.st.G[styles.Separator]+" "+is.words, is.paint
			}
		}
		b.painted(label, value, paint)
		b.field("", e.Description)
		b.field("  params", string(e.Params))
	}
}

func (b *builder) interfaces(c *a2a.Card) {
	if len(c.Interfaces) == 0 {
		return
	}
	b.section("Interfaces")
	for _, i := range c.Interfaces {
		binding := i.Binding.String()
		if i.Binding == a2a.BindingOther {
			binding = i.BindingWord
		}
		b.address(strings.TrimSpace(i.Version+" "+binding), i.URL)
		if i.DeclaredURL != i.URL {
			b.address("  declared", i.DeclaredURL)
		}
		b.field("  tenant", i.Tenant)
		b.painted("", "from "+string(i.Origin), b.st.Faint)
	}
}

func (b *builder) unknown(title string, members []a2a.Member) {
	if len(members) == 0 {
		return
	}
	if title != "" {
		b.section(title)
	}
	for _, m := range members {
		b.painted(m.Name, m.Pointer+" "+string(m.Value), b.st.Text)
	}
}

// profile shows the agent's profile.
func (b *builder) profile(p *a2a.Profile) {
	if p.Dialect == "" && p.Problem == "" && len(p.Warnings)+len(p.Cautions) == 0 {
		return
	}
	b.section("Dialect and endpoint")
	if p.Dialect != "" {
		label := "dialect"
		if p.Problem != "" {
			label = "could be tried"
		}
		b.field(label, p.Dialect.Number()+" "+p.Binding.String())
	}
	if p.ContradictsCard() && p.Problem == "" {
		b.painted("", "card says "+p.Claim+", agent speaks "+p.Dialect.Number(), b.st.Waiting)
	}
	if pinned := p.PinnedFields(); len(pinned) > 0 {
		b.painted("pinned", strings.Join(pinned, ", "), b.st.Accent)
	}
	b.address("endpoint", p.Endpoint)
	b.field("tenant", p.Tenant)
	b.painted("problem", p.Problem, b.st.Failed)
	for _, w := range slices.Concat(p.Cautions, p.Warnings) {
		b.painted("note", w, b.st.Text)
	}
	for _, w := range p.Alternatives {
		b.painted("also", strings.TrimSpace(w.Dialect.Number()+" "+w.Binding.String()+" "+w.Endpoint+" "+w.Tenant), b.st.Dim)
	}
}
