package main

// ofArtifacts returns mutations of how chunks make an artifact.
func ofArtifacts() []mutation {
	file, tests := "a2a/fold_artifact.go", []string{"a2a"}
	return []mutation{
		{"an appended chunk replaces what was there", file, "a.Parts = append(a.Parts, parts...)\n", "a.Parts = slices.Clone(parts)\n", tests},
		{"the only chunk of an artifact does not seal it", file, "Strays: n})\n\ta.seal(f, taskID, c.last)\n", "Strays: n})\n", tests},
		{"an artifact that begins again stays sealed", file, "a.Sealed = last && a.Sealed\n", "", tests},
		{"a repeated chunk of a resumed stream counts twice", "a2a/fold_resume.go", "\t\tif repeated {\n", "\t\tif false {\n", tests},
	}
}

// ofMasking returns mutations of how secrets are masked in headers, URLs and bodies.
func ofMasking() []mutation {
	tests := []string{"a2a"}
	return []mutation{
		{"the query of a Referer is not masked", "a2a/mask.go", ` || name == "Referer":`, ":", tests},
		{"the rest of a secret that overlaps another one stays", "a2a/mask.go", "max(last.end, s.end)", "s.end", tests},
		{"a secret that the parts of a body divide stays", "a2a/mask.go", "append(m.vault.finder().pieces(spans, body, nil), ", "append(spans, ", tests},
		{"a secret of eight characters stays in bodies", "a2a/mask.go", "const shortestSecret = 8", "const shortestSecret = 9", tests},
		{"the fragment of a URL is not masked", "a2a/mask_url.go", "masked, more := m.params(fragment)", "masked, more := fragment, []Redaction(nil)", tests},
		{"a user without a password stays in a URL", "a2a/mask_url.go", "\tif !ok {\n\t\tshown, gone", "\tif false {\n\t\tshown, gone", tests},
		{"the same secret gets another number each time", "a2a/standin.go", "\tif !known {\n\t\tif len(s.numbers)", "\tif !known || true {\n\t\tif len(s.numbers)", tests},
		{"a mask that an agent wrote stands for a secret", "a2a/standin.go", "foreign: true}\n", "foreign: true}\n\t\ti, bullets = s.end, 0\n", tests},
		{"a stand-in of an unknown secret is sent", "a2a/standin.go", "\t\t\twhole = false\n", "", tests},
		{"a credential that is not sent is not masked", "a2a/client_creds.go", "c.idle, o.Passwords)", "o.Passwords)", tests},
		{"a secret value of a send option is not masked", "session/engine/send.go", "\te.secrets.Add(o.Secrets...)\n", "", []string{"session/engine"}},
	}
}

// ofRedirects returns mutations of where requests and credentials go.
func ofRedirects() []mutation {
	file, tests := "a2a/client_redirect.go", []string{"a2a"}
	return []mutation{
		{"a redirect may name a user", file, `target.User, target.Fragment = nil, ""`, `target.Fragment = ""`, tests},
		{"a POST is repeated after 302", file, "repeated := ", "repeated := resp.StatusCode == http.StatusFound || ", tests},
		{"a message may go to the host with www.", file, "return !card || !sameSite(next.from, target)", "_ = card\n\treturn !sameSite(next.from, target)", tests},
		{"any host with TLS counts as the same one", file, `return plain && originOf(to) == "https://"+rest`, `return plain && rest != "" && strings.HasPrefix(originOf(to), "https://")`, tests},
		{"credentials go where a redirect leads", file, " || !addsTLS(next.from, to) {", " {", tests},
		{"credentials go to any port of a host", "a2a/origin.go", "return !g.armed || g.allowed[originOf(u)] }", `return !g.armed || g.allowed[originOf(u)] || g.allowed[u.Scheme+"://"+u.Hostname()] }`, tests},
		{"a host is the one that is written", "a2a/hostname/hostname.go", "idna.Lookup.ToASCII(host)", "idna.Punycode.ToASCII(host)", []string{"a2a/hostname"}},
		{"a host of no letters is this machine", "a2a/hostname/hostname.go", `|| name == "" {`, "{", []string{"a2a/hostname"}},
		{"a host that cannot be mapped is connected to", "a2a/client_exchange.go", "case !found:", "case !found && x == nil:", tests},
		{"credentials in the path of a redirect leave", "a2a/origin.go", "if len(v) >= shortestSecret && strings.Contains(u.Path, v) {", "if len(v) < 0 {", tests},
		{"a token goes to an agent whose card excludes it", "a2a/client_creds.go", `c.bearer, c.from = "", nil`, "c.from = nil", tests},
	}
}

// ofStreams returns mutations of how event streams and JSON are read.
func ofStreams() []mutation {
	sse, json := []string{"a2a/sse"}, []string{"a2a/jsontok"}
	return []mutation{
		{"CR LF is two ends of a line", "a2a/sse/decoder.go", `d.afterCR = d.buf[end] == '\r'`, "d.afterCR = false", sse},
		{"a CR alone ends no line", "a2a/sse/decoder.go", `bytes.IndexByte(d.buf[d.scan:d.lf], '\r')`, "-1", sse},
		{"the name of an event stays for the next one", "a2a/sse/frame.go", `b.event, b.hasData, b.unprefixed = "", false, false`, "b.hasData, b.unprefixed = false, false", sse},
		{"an id with a NUL counts", "a2a/sse/frame.go", "if bytes.IndexByte(value, 0) < 0 {", "if bytes.IndexByte(value, 0) < len(value) {", sse},
		{"a container ends before its bracket", "a2a/jsontok/parse.go", "p.pos++\n\tt.end, t.next", "t.end, t.next", json},
		{"the byte behind a value belongs to it", "a2a/jsontok/token.go", "int(d.tokens[i].end) <= offset", "int(d.tokens[i].end) < offset", json},
		{"a name is not skipped with its value", "a2a/jsontok/parse.go", "next: int32(len(p.tokens) + 1)", "next: int32(len(p.tokens))", json},
	}
}

// ofWebhooks returns mutations of who may call a webhook, and of what a delivery does.
func ofWebhooks() []mutation {
	tests := []string{"a2a/webhook"}
	return []mutation{
		{"a call without a token is accepted", "a2a/webhook/verdict.go", "if !proven && wrong == Accepted {", "if !proven && wrong == Head {", tests},
		{"the beginning of a token is enough", "a2a/webhook/verdict.go", "if equal(got, h.Token) {", "if strings.HasPrefix(h.Token, got) {", tests},
		{"the scheme of credentials does not count", "a2a/webhook/verdict.go", "case strings.EqualFold(scheme, h.Scheme) && equal", "case equal", tests},
		{"any Host is accepted", "a2a/webhook/serve.go", "case !r.acceptsHost(req.Host):", "case false:", tests},
		{"a repeated delivery counts twice", "session/tracker/delivery.go", "case facts.Repeats != 0:", "case false:", []string{"session/tracker"}},
		{"a delivery about another task counts", "session/tracker/delivery.go", `case about != "" && ev.TaskID != "" && ev.TaskID != about:`, `case about == "-":`, []string{"session/tracker"}},
	}
}

// ofRules returns mutations of rules that judge what an agent sends.
func ofRules() []mutation {
	tests := []string{"a2a/lint"}
	return []mutation{
		{"a subscription that repeats a task reopens it", "a2a/lint/rules_task.go", "p.r.Exchange > t.over && p.call.Op != a2a.OpSubscribe ||", "p.r.Exchange > t.over ||", tests},
		{"a history of the requested length is too long", "a2a/lint/rules_task.go", "got > most", "got >= most", tests},
		{"a second final event is right", "a2a/lint/rules_stream.go", "h.final > 0", "h.final > 1", tests},
		{"a status of the same moment goes back", "a2a/lint/rules_status.go", "s.Time.Before(before)", "!s.Time.After(before)", tests},
		{"a clock may be ahead without end", "a2a/lint/rules_status.go", "s.Time.After(p.r.Time.Add(maxAhead))", "false", tests},
	}
}
