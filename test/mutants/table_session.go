package main

// ofTasks returns mutations of how the state of a task moves.
func ofTasks() []mutation {
	tests := []string{"session/task"}
	return []mutation{
		{"one end of a task replaces another one", "session/task/lifecycle.go", "case l.State.Terminal() && !reopens:", "case l.State.Terminal() && !reopens && !st.State.Terminal():", tests},
		{"a task whose state is lost goes on", "session/task/lifecycle.go", "l.Forgotten || l.Lost || l.State.Terminal()", "l.Forgotten || l.State.Terminal()", tests},
		{"an answered question stays answered when it is asked again", "session/task/lifecycle.go", "\t\t\tl.Ask()\n", "", tests},
		{"a late answer to a message reopens a task", "session/tracker/memory.go", " && x.id > known.ended)", ")", []string{"session/tracker"}},
		{"an answer that is older than another one counts", "session/tracker/tracker.go", "case t.isOutdated(x, it.Event):", "case false:", []string{"session/tracker"}},
		{"a word alone continues a message", "session/task/text.go", "case !t.joined || !IsWord(text):", "case !IsWord(text):", tests},
		{"a check changes what is known", "session/tracker/tracker.go", "\tcase x.call.Check:\n", "\tcase false:\n", []string{"session/tracker"}},
		{"a verdict shares its changes with the next one", "session/check/stage.go", "\t\tr.Deltas = add(&s.deltas, r.Deltas)\n", "", []string{"session/check"}},
		{"a record that was prepared is judged again", "session/check/stage.go", " && it.Verdict == nil {", " {", []string{"session/check"}},
	}
}

// ofPolling returns mutations of retries, of polling and of resubscription.
func ofPolling() []mutation {
	tests := []string{"session/engine"}
	return []mutation{
		{"an agent that is busy is given up", "session/problem/retry.go", "http.StatusTooManyRequests,", "", []string{"session/problem"}},
		{"the pause in the data of an error does not count", "session/problem/retry.go", "return pause.In(e.Data)", "return 0 * pause.In(e.Data)", []string{"session/problem"}},
		{"the wait between polls grows without end", "session/engine/backoff.go", "min(2*d, b.most)", "2 * d", tests},
		{"the wait between polls does not grow", "session/engine/backoff.go", "min(2*d, b.most)", "min(d, b.most)", tests},
		{"polling goes on after three failures", "session/engine/poll.go", "failures > 2", "failures > 3", tests},
		{"failures count though a poll between them was answered", "session/engine/poll.go", "\treturn 0\n", "\treturn n\n", tests},
		{"an auth poll ignores the pause that the agent asks for", "session/engine/authpoll.go", "waits.after(&out)", "waits.next()", tests},
		{"a poll ignores the pause that the answer before asks for", "session/engine/poll.go", "waits.after(&out)", "waits.next()", tests},
		{"one attempt to resubscribe is left out", "session/engine/resubscribe.go", "max(e.o.Resubscribe, 1)", "max(e.o.Resubscribe-1, 1)", tests},
		{"a second resubscription names an old event", "session/engine/resubscribe.go", `if out.LastEventID != "" {`, "if false {", tests},
		{"an agent that is back gets no new attempts", "session/engine/resubscribe.go", "n != returns {", "n < returns {", tests},
	}
}

// ofRecordings returns mutations of how records are numbered, written and read.
func ofRecordings() []mutation {
	tests := []string{"session/journal"}
	return []mutation{
		{"a delivery has no number of its own as an exchange", "session/journal/recorder.go", "return kind == a2a.KindRequest || kind == a2a.KindDelivery", "return kind == a2a.KindRequest", tests},
		{"a session that goes on leaves out a number", "session/journal/recorder.go", "r.last = after", "r.last = after + 1", tests},
		{"a torn line is not counted", "session/journal/reader.go", "j.dropped++ // the program was killed while it wrote", "_ = 0", tests},
		{"a torn line goes into the file that continues", "session/journal/reader.go", "if err == io.EOF && !whole {", "if err == io.EOF && !whole {\n\t\t\tj.whole = j.read", tests},
		{"a record with the number of the one before counts", "session/journal/reader.go", "case r.ID <= j.last:", "case r.ID < j.last:", tests},
		{"an event without its exchange's call", "session/journal/reader.go", "r.Call = j.calls[r.Exchange]\n", "\n", tests},
		{"lines follow an incomplete one", "session/journal/journal.go", "j.queue, j.queued = nil, 0 // a line", "// a line", tests},
		{"the limit of a file does not count", "session/journal/journal.go", "size := int64(len(b.lines) - before)\n\tif j.max > 0 && j.size+size > j.max {", "size := int64(len(b.lines) - before)\n\tif false {", tests},
	}
}

// ofFilters returns mutations of filters.
func ofFilters() []mutation {
	tests := []string{"session/filter"}
	return []mutation{
		{">= is >", "session/filter/compare.go", "return a >= b", "return a > b", tests},
		{"a kibibyte has 1000 bytes", "session/filter/compare.go", "base = 1024", "base = 1000", tests},
		{"a status of 400 is no failure", "session/filter/match.go", "r.Head.Status >= 400", "r.Head.Status > 400", tests},
		{"a request has a gap before it", "session/filter/compare.go", " && r.Exchange != r.ID &&", " &&", tests},
	}
}

// ofHosts returns mutations of the check of the header Host.
func ofHosts() []mutation {
	return []mutation{
		{"any address is this machine", "session/listen/listen.go", `return name == "" || Loopback(name)`, `return name == "" || Loopback(name) || net.ParseIP(name) != nil`, []string{"session/listen"}},
		{"a name that ends with localhost is this machine", "session/listen/listen.go", `".localhost")`, `"localhost")`, []string{"session/listen"}},
		{"parley serve answers any Host", "session/serve/server.go", "return !s.loopback || listen.NamesLoopback(host)", "return s != nil || listen.NamesLoopback(host)", []string{"session/serve"}},
		{"a tap answers any Host", "session/tap/relay/address.go", "if !listen.NamesLoopback(host) {", `if !listen.NamesLoopback(host) && host == "-" {`, []string{"session/tap/relay"}},
		{"a tap needs no token", "session/tap/relay/address.go", "if !r.knows(h) {", "if false {", []string{"session/tap/relay"}},
		{"the token of a tap goes on to the agent", "session/tap/relay/address.go", "case f.Key() == TokenField && r.isToken(f.Value):", "case false:", []string{"session/tap/relay"}},
	}
}
