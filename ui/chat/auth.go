package chat

import (
	"strings"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// authRequests returns the ways to authenticate in a piece of a message, read once; nil unless the
// message came with the state auth-required.
func (m *message) authRequests(p *piece) []model.AuthRequest {
	if !p.read {
		p.read = true
		if p.part != nil {
			p.auth = model.AuthIn(p.part.Data)
		} else if p.original != "" {
			p.auth = model.AuthIn([]byte(p.original))
		}
	}
	if len(p.auth) == 0 || !m.wantsAuth() {
		return nil
	}
	return p.auth
}

// wantsAuth reports whether the message came with the state auth-required.
func (m *message) wantsAuth() bool {
	if m.waits && m.task != nil && m.task.State == a2a.StateAuthRequired {
		return true
	}
	entries, record := m.block.Entries, m.entry().Record
	first := m.i
	for first > 0 && entries[first-1].Record == record {
		first--
	}
	for i := first; i < len(entries) && entries[i].Record == record; i++ {
		if e := &entries[i]; e.Kind == model.EntryState && e.State.State == a2a.StateAuthRequired {
			return true
		}
	}
	return false
}

// authRequestLines lists the ways to authenticate that an agent asks for: the schemes, and the
// details of each, with the hosts of links. Key shows the source. waits says
// whether the task still does.
func (k *renderer) authRequestLines(asks []model.AuthRequest, key string, waits bool, w int) []string {
	paint := k.st.Dim
	if waits {
		paint = k.st.Waiting
	}
	var out []string
	for i := range asks {
		out = append(out, k.schemes(&asks[i], paint, w)...)
		for _, f := range asks[i].Fields {
			out = append(out, k.authField(&f, paint, w)...)
		}
	}
	return append(out, k.truncate("  "+k.st.Faint.S(key+" shows it as it came"), w))
}

func (k *renderer) schemes(r *model.AuthRequest, paint styles.Paint, w int) []string {
	names := make([]string, len(r.Schemes))
	for i, s := range r.Schemes {
		names[i] = k.clean(s)
	}
	return hangingIndent(2, k.glyph(paint, styles.Authorize), k.cleanText(k.st.Text, "authenticate with "+strings.Join(names, " or "), w-2))
}

// authField is a field on a line. The host of a link is shown completely, and the rest is
// shortened.
func (k *renderer) authField(f *model.AuthField, paint styles.Paint, w int) []string {
	label := "  " + k.clean(authLabel(f.Name)) + " "
	if canvas.Width(label) > w/2 {
		label = k.truncate(label, max(w/2-1, 1)) + " "
	}
	room := max(w-canvas.Width(label), 1)
	if !f.Link {
		return hangingIndent(canvas.Width(label), k.st.Faint.S(label), k.capLines(k.text(k.st.Text, f.Value, room)))
	}
	host := k.host(f.Value, room-1) // one cell for the ellipsis
	_, rest, _ := strings.Cut(f.Value, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[i:]
	} else {
		rest = ""
	}
	line := k.st.Faint.S(label) + paint.S(host)
	return []string{k.truncate(line+k.st.Faint.S(k.clean(rest)), w)}
}

// authLabel names the purpose of a field, or the field itself if that is unknown.
func authLabel(name string) string {
	switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)) {
	case "authorizationurl", "authorizationuri", "authorizationendpoint", "authurl", "authuri", "loginurl", "signinurl", "verificationuri", "verificationurl":
		return "sign in at"
	case "tokenurl", "tokenuri", "tokenendpoint":
		return "tokens from"
	case "deviceauthorizationurl":
		return "device codes at"
	case "openidconnecturl":
		return "described at"
	case "usercode":
		return "code to enter"
	case "in":
		return "sent in"
	}
	return name
}
