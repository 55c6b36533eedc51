package a2a

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"strings"
)

// Origin returns scheme, host and port of an http or https URL in one spelling,
// "https://agent.example" or "http://localhost:4100", and "" for anything else.
// Two URLs share an origin exactly if the results are equal; another port or a
// loopback address under another name is another origin.
func Origin(rawURL string) string {
	u, err := url.Parse(strings.TrimSpace(rawURL))
	if err != nil {
		return ""
	}
	return originOf(u)
}

func originOf(u *url.URL) string {
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if scheme != "http" && scheme != "https" || host == "" {
		return ""
	}
	host = strings.TrimSuffix(host, ".")
	if scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		port = ""
	}
	switch {
	case port != "":
		host = net.JoinHostPort(host, port)
	case strings.Contains(host, ":"):
		host = "[" + host + "]"
	}
	return scheme + "://" + host
}

// A gate keeps credentials at home: while any are set, requests go only to
// origins that the person named or allowed.
type gate struct {
	armed   bool
	answer  bool   // it keeps a secret answer, and no credentials
	file    bool   // it keeps a request for a file where that was asked of
	named   string // the first origin the person named, for sentences
	allowed map[string]bool
}

func newGate(o *Options, armed bool) gate {
	g := gate{armed: armed, allowed: map[string]bool{}}
	for _, raw := range o.Named {
		if origin := typedOrigin(raw); origin != "" {
			g.allowed[origin] = true
			if g.named == "" {
				g.named = origin
			}
		}
	}
	for _, raw := range o.AllowOrigins {
		if origin := typedOrigin(raw); origin != "" {
			g.allowed[origin] = true
		}
	}
	return g
}

// typedOrigin returns the origin of what a person typed, which may lack a scheme
// or be a file, and then has none.
func typedOrigin(typed string) string {
	if origin := Origin(typed); origin != "" {
		return origin
	}
	if r, problem := parseReference(typed); problem == "" && r.url != nil {
		return originOf(r.url)
	}
	return ""
}

// confining returns the gate for a request that holds a secret answer: it goes where it
// was sent, and stays there.
func (g gate) confining(rawURL string) gate {
	if g.armed {
		return g
	}
	origin := Origin(rawURL)
	allowed := maps.Clone(g.allowed)
	allowed[origin] = true
	return gate{armed: true, answer: true, named: origin, allowed: allowed}
}

// A pointer says who named the URL that a request is about to go to.
type pointer string

const (
	byCard     pointer = "the card names"
	byRedirect pointer = "a redirect leads to"
	byPerson   pointer = "the request goes to"
)

// refusal returns the end of a request that must not be sent to u, and whether
// that is so.
func (g gate) refusal(u *url.URL, by pointer) (End, bool) {
	origin := originOf(u)
	if !g.armed || g.allowed[origin] {
		return End{}, false
	}
	end := End{Reason: Refused, Class: ClassOrigin}
	if g.file {
		end.Sentence = fmt.Sprintf("%s leads on to %s, of which nothing was asked: say so if the file may come from there.", g.named, origin)
		return end, true
	}
	if g.answer {
		end.Sentence = fmt.Sprintf("Nothing was sent: the message is a secret and goes to %s alone, but %s %s. "+
			"If it may go there too, add --allow-origin %s.", g.named, by, origin, origin)
		return end, true
	}
	if g.named == "" {
		end.Sentence = fmt.Sprintf("Nothing was sent: credentials are set, %s %s, and no origin was named that they are for. "+
			"If they are for that one, add --allow-origin %s.", by, origin, origin)
	} else {
		end.Sentence = fmt.Sprintf("Nothing was sent: the credentials are for %s, but %s %s. "+
			"If they are for that one too, add --allow-origin %s.", g.named, by, origin, origin)
	}
	return end, true
}
