package cli

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/connection"
	"parley/internal/doctor"
	"parley/internal/signature"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/problem"
)

// An examination follows the way to one agent.
type examination struct {
	app    *app
	flags  *doctorFlags
	put    func(connection.Step) // takes each step when it begins and when it has ended
	op     *operation
	prober prober
	report doctor.Report
	begun  time.Time // when the step that runs began
	fault  error     // why the first step failed, or could not be made without credentials
}

// run performs the steps until one fails.
func (e *examination) run() {
	if origin := e.origin(); origin != "" && !e.connect(origin) {
		return
	}
	op, err := e.app.begin(&e.flags.callFlags)
	if err != nil {
		e.broke("agent", err)
		return
	}
	e.op, e.prober.op = op, op
	defer op.end()
	op.wantsCard, op.examines, op.rules.quiet = true, true, true
	for _, step := range []struct {
		name string
		do   func() bool
	}{{"card", e.card}, {"rules", e.valid}, {"signature", e.signature}, {"interface", e.reachInterface}, {"credentials", e.credentials}, {"requests", e.probes}, {"message", e.send}} {
		e.begin(step.name)
		if !step.do() {
			return
		}
	}
}

// origin returns the origin of the agent's reference, empty for a file.
func (e *examination) origin() string {
	ref := e.flags.ref
	if saved, ok := e.app.savedAgent(ref); ok {
		ref = saved.Ref
	}
	return a2a.TypedOrigin(ref)
}

// connect adds the steps of the connection to an origin.
func (e *examination) connect(origin string) bool {
	n := &e.app.net
	own := n.certificates.own
	if !e.named(origin) { // a card named it, so it does not learn who the user is
		own = nil
	}
	steps := connection.Check(e.app.ctx, origin, connection.Options{
		Proxy: http.ProxyFromEnvironment, RootCAs: n.certificates.roots, Certificates: own, Insecure: n.servers.InsecureAt, Known: n.servers.Knows, Verify: n.servers.Verify, Now: now, Report: e.take,
	})
	last := steps[len(steps)-1]
	if last.Status != connection.Failed {
		return true
	}
	code := codeUnreachable
	if last.Name == "address" {
		code = codeUsage
	}
	e.fault = &fault{code: code, message: line(last.Found), hint: line(last.Remedy)}
	return false
}

// named reports whether the user named or allowed an origin.
func (e *examination) named(origin string) bool {
	typed := append([]string{e.origin(), e.app.net.endpoint}, e.app.net.origins...)
	if p := e.flags.pins; p != nil {
		typed = append(typed, p.Endpoint)
	}
	return slices.ContainsFunc(typed, func(t string) bool { return t != "" && a2a.TypedOrigin(t) == origin })
}

// begin says that a step begins.
func (e *examination) begin(name string) {
	e.begun = now()
	e.take(connection.Step{Name: name, Status: connection.Running})
}

// take adds a step to the report. What others wrote in it is made safe here, once.
func (e *examination) take(s connection.Step) {
	s.Found, s.Remedy = line(s.Found), line(s.Remedy)
	e.report.Put(s)
	e.put(s)
}

// add adds a step that did not fail.
func (e *examination) add(name string, status connection.Status, found, remedy string) bool {
	e.take(connection.Step{Name: name, Status: status, Found: found, Remedy: remedy})
	return true
}

// addTimed is add for a step that took time.
func (e *examination) addTimed(name string, status connection.Status, found, remedy string) bool {
	e.take(connection.Step{Name: name, Status: status, Found: found, Remedy: remedy, Took: now().Sub(e.begun)})
	return true
}

// broke adds the step that failed.
func (e *examination) broke(name string, err error) bool {
	f := asFault(err)
	if e.app.inside && strings.HasPrefix(f.hint, "Run it again with --debug") {
		f.hint = "In a shell, parley doctor " + shellReference(e.flags.ref) + " --debug shows the requests and answers."
	}
	e.fault = f
	e.take(connection.Step{Name: name, Status: connection.Failed, Found: f.message, Remedy: f.hint})
	return false
}

// signInside says how the workbench takes credentials.
const signInside = "/signin in the workbench signs in, or takes a token or a key."

// guarded adds a step that is not possible without credentials, which is no failure of the way.
func (e *examination) guarded(name string, f *fault) bool {
	if e.app.inside {
		f.hint = signInside
	}
	e.fault = f
	e.take(connection.Step{Name: name, Status: connection.Skipped, Found: f.message, Remedy: f.hint, Guarded: true})
	return false
}

// card finds the card.
func (e *examination) card() bool {
	err := e.op.open()
	if err != nil && e.op.card() == nil {
		return e.noCard(e.op.advise(err, nil))
	}
	e.flags.ref = e.op.flags.ref
	card := e.op.card()
	if used, old := e.op.usedCard(); used != nil && old != nil {
		e.addTimed("card", connection.Warning, old.Reason+", so the card cannot be read now; what follows uses the card "+old.Value+", "+orNone(used.Name)+".", "Run it again: "+mayBeOver)
		if err != nil {
			return e.broke("approval", e.op.advise(err, nil))
		}
		return true
	}
	if card == nil {
		return e.add("card", connection.Warning, "There is none; the agent was found by requests.", "An agent publishes its card at /.well-known/agent-card.json.")
	}
	e.addTimed("card", connection.OK, orNone(card.Name)+" at "+a2a.MaskReference(card.SourceURL), "")
	if err != nil { // the card has to be approved first
		return e.broke("approval", e.op.advise(err, nil))
	}
	return true
}

// noCard adds the step that failed where no card was found.
func (e *examination) noCard(f *fault) bool {
	var attempts []a2a.Lookup
	if agent := e.op.state.Agent(e.op.agent); agent != nil {
		attempts = agent.Attempts
	}
	n := len(attempts)
	switch {
	case n == 0 && e.origin() == "":
		f.hint = "Write it as in https://agent.example or http://localhost:9999."
		return e.broke("address", f)
	case n > 0 && attempts[n-1].Status == http.StatusProxyAuthRequired: // without TLS, no tunnel has told
		f.hint = "Write them into HTTP_PROXY, as in http://user:password@proxy.example:3128."
		return e.broke("proxy", f)
	}
	return e.broke("card", f)
}

// valid judges the card by the rules. An agent with an invalid card often works, so this is not
// the end.
func (e *examination) valid() bool {
	card := e.op.card()
	if card == nil {
		return e.add("rules", connection.Skipped, e.lack("there is no card"), "")
	}
	v := newVerdict(card, e.op.cardFindings())
	score := fmt.Sprintf("score %d of 100", v.score)
	switch {
	case len(v.errors) > 0:
		return e.add("rules", connection.Warning, score+": "+strings.Join(v.errors, "; "), "The agent may still work; parley card get --validate lists everything.")
	case len(v.others) > 0:
		return e.add("rules", connection.OK, score+", "+units.Plural(len(v.others), "finding"), "")
	}
	return e.add("rules", connection.OK, score, "")
}

// lack says why there is nothing to judge: there is none, or the card was not read.
func (e *examination) lack(none string) string {
	if _, old := e.op.usedCard(); old != nil {
		return "the card was not read"
	}
	return none
}

// signature verifies the card.
func (e *examination) signature() bool {
	card := e.op.card()
	if card == nil || len(card.Signatures) == 0 {
		return e.add("signature", connection.Skipped, e.lack("the card has none"), "")
	}
	best, _ := signature.Best(e.op.verifySignatures(card, &e.flags.signatureFlags))
	switch best.Verdict {
	case signature.Verified:
		return e.add("signature", connection.OK, signatureWords(best), "")
	case signature.Broken:
		return e.broke("signature", brokenCard([]signature.Result{best}))
	case signature.Deviates:
		return e.add("signature", connection.Warning, signatureWords(best), "The agent's author should sign the form of A2A 1.0 §8.4.1.")
	}
	return e.add("signature", connection.Skipped, signatureWords(best), "--card-key FILE names the keys that you trust.")
}

// reachInterface says which interface and version are used and why, and checks the connection
// to an endpoint that is elsewhere.
func (e *examination) reachInterface() bool {
	p := e.op.openSignal.Profile
	if p.Problem != "" {
		f := internal("%s.", sentence(p.Problem))
		f.hint = "parley card get " + shellReference(e.flags.ref) + " lists what the card offers; --endpoint URL with --dialect speaks to an address all the same."
		return e.broke("interface", f)
	}
	e.add("interface", connection.OK, p.Binding.String()+" at "+a2a.MaskReference(p.Endpoint), "")
	e.version(p)
	for _, c := range p.Cautions {
		e.add("caution", connection.Warning, c, "")
	}
	if to := a2a.Origin(p.Endpoint); to != "" && to != e.origin() {
		return e.connect(to)
	}
	return true
}

// version says which version is spoken, and whether the card says so too.
func (e *examination) version(p *a2a.Profile) {
	found := "A2A " + p.Dialect.Number()
	if why := p.Reason("dialect").Reason; why != "" {
		found += ": " + why
	}
	said, known := a2a.ParseVersion(p.Claim)
	if p.Claim == "" || known && said.Number() == p.Dialect.Number() {
		e.add("version", connection.OK, found, "")
		return
	}
	claim := p.Claim
	if !known {
		claim += ", which is none of 0.1 – 1.0"
	}
	if p.Reason("dialect").Confidence == a2a.Pinned {
		e.add("version", connection.Warning, "The card says A2A "+claim+"; Parley speaks "+found, "Without your choice, Parley follows the card.")
		return
	}
	e.add("version", connection.Warning, "The card says A2A "+claim+"; the agent speaks "+found, "The agent's author should write the version that it speaks into the card; other clients may refuse it.")
}

// unspoken is the failure of an agent that does not speak the version that its card names, or that did
// not get the version of the request.
func (e *examination) unspoken(sig *log.Signal) error {
	if rpc := e.op.answer.rpc; rpc.Unread {
		f := internal("%s", line(sig.Sentence))
		f.hint = "--endpoint URL reaches an agent at another address, past what drops the header."
		return f
	}
	number := e.op.openSignal.Profile.Dialect.Number()
	f := internal("The agent does not speak A2A %s: %s.", number, strings.TrimSuffix(line(e.op.answer.rpc.Error()), "."))
	f.hint = "--a2a-version tries another one: 1.0, 0.3, 0.2 or 0.1; the agent's author should name those that it speaks in the card."
	return f
}

// credentials compares what the card requires with what is set.
func (e *examination) credentials() bool {
	card, _ := e.op.usedCard()
	set, required := e.op.engine.Authenticated(e.op.agent), card != nil && !card.Open()
	switch {
	case !required && !set:
		return e.add("credentials", connection.Skipped, "the card requires none, and none are set", "")
	case !required:
		return e.add("credentials", connection.OK, "set, although the card requires none", "")
	case set:
		return e.add("credentials", connection.OK, "set; the card requires "+requirement(card.Security[0]), "")
	}
	hint := credentialHint(card, e.flags.ref)
	if e.app.inside {
		hint = signInside
	}
	return e.add("credentials", connection.Warning, "The card requires "+requirement(card.Security[0])+", and none are set.", hint)
}

// probes asks for things that do not exist. An answer that A2A does not allow is no reason to
// stop, but one that the agent does not give is.
func (e *examination) probes() bool {
	var cases []testCase
	for _, p := range e.prober.readOnly() {
		c, sig, err := e.prober.ask(&p)
		switch {
		case err != nil:
			return e.broke("requests", e.op.advise(err, nil))
		case sig == nil:
			if p.skip == "" {
				cases = append(cases, c)
			}
			continue
		}
		if rpc := e.op.answer.rpc; rpc != nil && rpc.Name == "VersionNotSupportedError" && sig.Class == problem.ClassRPC {
			return e.broke("version", e.unspoken(sig))
		}
		if !p.optional && (c.guarded || sig.Sentence != "" && sig.Class != problem.ClassRPC) {
			e.reconsider()
			if c.guarded {
				return e.guarded("requests", e.prober.failure(sig))
			}
			return e.broke("requests", e.prober.failure(sig))
		}
		cases = append(cases, c)
	}
	e.reconsider()
	return e.summarise(e.prober.settle(cases))
}

// summarise adds the step of the probes.
func (e *examination) summarise(cases []testCase) bool {
	var wrong, skipped []string
	for i := range cases {
		switch word, detail := cases[i].result(); word {
		case "failed":
			wrong = append(wrong, cases[i].name+": "+detail)
		case "skipped":
			skipped = append(skipped, strings.TrimSuffix(detail, "."))
		}
	}
	asked := len(cases) - len(skipped)
	if e.op.card() == nil && len(wrong) > 0 && len(wrong) >= asked-1 { // a list may be empty anywhere
		return e.broke("requests", &fault{code: codeInternal, message: "The answers make no sense in A2A: this is probably no agent.", hint: "Check the address and its path; --debug shows the answers."})
	}
	if len(wrong) > 0 {
		return e.addTimed("requests", connection.Warning, strings.Join(wrong, "; "), "The agent's author can see more with parley check.")
	}
	found := units.Plural(asked, "read-only request") + " answered as A2A says"
	if len(skipped) > 0 {
		slices.Sort(skipped)
		found += fmt.Sprintf("; %d skipped: %s", len(skipped), strings.Join(slices.Compact(skipped), "; "))
	}
	return e.addTimed("requests", connection.OK, found, "")
}

// reconsider adds what the answers say about the card: the version again if the agent speaks another one,
// and otherwise the warnings that are new.
func (e *examination) reconsider() {
	agent, opened := e.op.state.Agent(e.op.agent), e.op.openSignal.Profile
	if agent == nil {
		return
	}
	begun := e.begun
	if agent.Profile.Dialect != opened.Dialect {
		e.version(&agent.Profile)
	} else {
		for _, w := range agent.Profile.Warnings {
			if !slices.Contains(opened.Warnings, w) {
				e.add("interface", connection.Warning, sentence(w)+".", "")
			}
		}
	}
	e.begin("requests")
	e.begun = begun
}
