package tap

import (
	"fmt"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/tap/relay"
)

// breakOf says who broke an exchange off, nil for nobody.
func (x *exchange) breakOf(end *relay.End) *a2a.End {
	agent, after := x.target.Host, units.Bytes(x.passed)
	detail := ""
	if end.Err != nil {
		detail = x.tap.observer.MaskText(end.Err.Error())
	}
	how := "closed"
	if end.Reset {
		how = "reset"
	}
	switch end.Cause {
	case relay.AgentBroke:
		e := &a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Detail: detail}
		if x.status == 0 {
			e.Sentence = fmt.Sprintf("The agent at %s %s the connection without a complete answer: see its log.", agent, how)
		} else {
			e.Sentence = fmt.Sprintf("The agent at %s %s the connection inside its answer, after %s; so did the tap towards the client.", agent, how, after)
		}
		return e
	case relay.ClientBroke:
		e := &a2a.End{Reason: a2a.Cut, Class: a2a.ClassClient, Detail: detail}
		e.Sentence = fmt.Sprintf("The client %s the connection before the agent at %s had answered.", how, agent)
		if x.status != 0 {
			e.Sentence = fmt.Sprintf("The client %s the connection after it had got %s of the answer; the agent had sent %s and no end.", how, units.Bytes(end.PassedOn), after)
		}
		return e
	case relay.Unreachable:
		e := unreached(end.Err)
		e.Sentence = fmt.Sprintf("The agent at %s could not be reached: %s. Start it, or check the address. The client got the status 502 from the tap.", agent, e.Detail)
		return &e
	case relay.Rejected:
		e := &a2a.End{Reason: a2a.Refused, Class: a2a.ClassTap, Sentence: "The tap answered in place of the agent."}
		if detail != "" {
			e.Sentence = "The tap answered in place of the agent: " + strings.TrimSuffix(detail, ".") + "."
		}
		return e
	case relay.Injected:
		return &a2a.End{Reason: a2a.Cut, Class: a2a.ClassTap, Detail: detail, Sentence: fmt.Sprintf("The tap broke the connection after %s, as its fault says.", after)}
	case relay.Closed:
		return &a2a.End{Reason: a2a.Cancelled, Class: a2a.ClassTap, Sentence: fmt.Sprintf("The tap was closed after %s of the answer.", after)}
	}
	if end.Upgraded {
		return &a2a.End{Reason: a2a.Ended, Sentence: "The connection left HTTP; what passes on it is not shown."}
	}
	return nil
}

// unreached returns the end of what did not reach a server; its detail is a clause.
func unreached(err error) a2a.End {
	e := a2a.End{Reason: a2a.Refused, Class: a2a.ClassRefused, Detail: "nothing answered"}
	if err != nil {
		e.Detail = err.Error()
	}
	switch {
	case strings.Contains(e.Detail, "TLS"):
		e.Class = a2a.ClassTLS
	case strings.Contains(e.Detail, "the name"):
		e.Class = a2a.ClassDNS
	case strings.Contains(e.Detail, "in time"):
		e.Class = a2a.ClassTimeout
	}
	return e
}
