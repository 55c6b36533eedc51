package main

// ofSignIn returns mutations of signing in.
func ofSignIn() []mutation {
	tests := []string{"internal/signin"}
	return []mutation{
		{"a code of another server is taken", "internal/signin/code.go", `case issuer != "" && server.Issuer != "" && issuer != server.Issuer:`, "case false:", tests},
		{"a page of another sign-in is taken", "internal/signin/code.go", `return subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(w.state)) == 1`, `return subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(w.state)) < 2`, tests},
		{"an identity of another sign-in is taken", "internal/signin/code.go", "case id.Nonce != w.nonce:", `case id.Nonce == "-":`, tests},
		{"a page of any host may bring a code", "internal/signin/code.go", "if !hostname.IsLoopback(host) ||", `if !hostname.IsLoopback(host) && host == "-" ||`, tests},
		{"a refused token is sent again", "internal/signin/renewal.go", "if s.Value != refused && !expires {", "if !expires {", tests},
		{"a token that another run has renewed is renewed again", "internal/signin/renewal.go", "if err != nil || s.Value != old {", "if err != nil {", tests},
		{"a token is for a path that only begins alike", "internal/signin/resource.go", "return len(first) <= len(all) && slices.EqualFunc(all[:len(first)], first, same)", "_, _ = all, first\n\treturn strings.HasPrefix(whole, start)", tests},
	}
}

// ofTrust returns mutations of how a card is compared with the approved one.
func ofTrust() []mutation {
	tests := []string{"internal/trust"}
	return []mutation{
		{"another signature is another card", "internal/trust/baseline.go", ` && d.Pointer != "/signatures" {`, " {", tests},
		{"a signature over a masked card is broken", "internal/trust/baseline.go", "judge = nil // who masks", "// who masks", tests},
		{"one approved card counts for all at an address", "internal/trust/file.go", "b.Ref == ref && b.Index == index", "b.Ref == ref", tests},
		{"a damaged file is replaced", "internal/trust/file.go", "\tif damaged {\n\t\tif err := sharedfile", "\tif false {\n\t\tif err := sharedfile", tests},
		{"what only is listed comes before what asks", "session/card/drift.go", "cmp.Compare(b.Severity, a.Severity)", "cmp.Compare(a.Severity, b.Severity)", []string{"session/card"}},
	}
}

// ofOutbox returns mutations of what the screen sends.
func ofOutbox() []mutation {
	own, screen := []string{"ui/control/outbox"}, []string{"ui"}
	return []mutation{
		{"the conversation does not scroll to a new message", "ui/control/outbox/send.go", "\tc.chat.End()\n", "", own},
		{"the wire does not follow a new message", "ui/control/outbox/send.go", "\tc.wire.Follow() // the user wants to see what becomes of it\n", "", own},
		{"the secrets of a message are remembered", "ui/control/outbox/send.go", "\toptions.Secrets = nil\n", "", own},
		{"a chosen target stays for the next message", "ui/control/outbox/send.go", "c.aim.fixed = false\n", "", screen},
		{"a queued message does not wait for the turn", "ui/control/outbox/queue.go", `q.held != "" || c.busyAt(at) {`, `q.held != "" {`, screen},
		{"a rejected message goes behind the others", "ui/control/outbox/queue.go", "q.waiting = slices.Insert(q.waiting, 0, d)", "q.waiting = append(q.waiting, d)", screen},
		{"the queue goes on while the agent asks a question", "session/task/outcome.go", `return "the agent asks a question"`, `return ""`, screen},
		{"a message with a masked part is sent again", "ui/control/outbox/again.go", "\tcase c.masked(t):\n\t\treturn \"This", "\tcase false:\n\t\treturn \"This", own},
	}
}
