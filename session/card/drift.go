package card

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
)

// A Severity says what a difference between an approved card and a later one may do to a user.
type Severity uint8

const (
	// Other differences are listed: a new skill, another description.
	Other Severity = iota
	// Address differences concern where messages go: interfaces, their URLs, the provider's host.
	Address
	// Security differences concern which credentials are asked for, and who signed the card.
	Security
)

var severityWords = [...]string{Other: "other", Address: "address", Security: "security"}

// String returns the severity as it is written.
func (s Severity) String() string { return severityWords[s] }

// MarshalText writes the severity for JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Asks reports whether the user has to approve a difference before the agent is used.
func (s Severity) Asks() bool { return s != Other }

// A Difference is a member of a card that differs from that of an approved card.
type Difference struct {
	Pointer  string   `json:"pointer"` // RFC 6901; empty for what is not a member, such as the origin
	Severity Severity `json:"severity"`
	// Old and New are the values as JSON, without secrets, cut where they are long, and empty where
	// there is none.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`

	said string // the sentence, if it is not made of the values
}

// Sentence describes the difference.
func (d *Difference) Sentence() string {
	if d.said != "" {
		return d.said
	}
	what := d.Pointer
	if what == "" {
		what = "the origin of the card"
	}
	switch {
	case d.Old == "":
		return what + " is new: " + d.New
	case d.New == "":
		return what + " is gone; it was " + d.Old
	case d.Old == d.New:
		return what + " has changed in a part that is not shown: " + d.New
	}
	return what + " is now " + d.New + "; it was " + d.Old
}

// Asking returns how many of the differences the user has to approve. They come first.
func Asking(list []Difference) int {
	n := slices.IndexFunc(list, func(d Difference) bool { return !d.Severity.Asks() })
	if n < 0 {
		return len(list)
	}
	return n
}

const (
	// maxDrift is the largest card, in bytes, that is compared member by member.
	maxDrift = 4 << 20
	// maxDifferences is how many differences are listed.
	maxDifferences = 500
	// maxValue is how much of a value is listed, in bytes.
	maxValue = 400
)

// Drift lists the members in which a card differs from an approved one, those about security
// first, then those about addresses; nil if there are none. The order of an object's members,
// and of skills and other lists whose order means nothing, makes no difference, nor does another
// signature of the same key. Judge says what the user's keys say about the signatures.
func Drift(approved, now *a2a.Card, judge Judge) []Difference {
	approved, now = unnumbered(approved), unnumbered(now)
	d := drift{}
	if len(approved.Raw) <= maxDrift && len(now.Raw) <= maxDrift {
		old, okOld := decoded(approved.Raw)
		is, okNow := decoded(now.Raw)
		if okOld && okNow {
			d.objects(nil, old, is)
		}
	}
	d.signatures(approved, now, judge)
	old, is := NewSnapshot(approved), NewSnapshot(now)
	d.meaning(old, is)
	if len(d.found) == 0 && max(len(approved.Raw), len(now.Raw)) > maxDrift && old.Sum != is.Sum {
		d.add([]string{""}, Other, "another card", "this one, which is too long to be compared member by member")
	}
	slices.SortStableFunc(d.found, func(a, b Difference) int { return cmp.Compare(b.Severity, a.Severity) })
	return d.found[:min(len(d.found), maxDifferences)]
}

// decoded returns the object that a card is.
func decoded(raw []byte) (object map[string]any, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	err := dec.Decode(&object)
	return object, err == nil && object != nil
}

// drift collects the differences between two cards.
type drift struct {
	found []Difference
	// examples is set below a member that may hold the value of a credential: the example of a header.
	examples bool
}

// add adds a difference. Those that only are listed have a limit of their own, so that a hostile
// card cannot hide others behind them.
func (d *drift) add(path []string, s Severity, old, now any) {
	if s.Asks() || len(d.found) < maxDifferences {
		at := path
		if d.examples {
			at = below(path, "secret")
		}
		is := valueText(at, now)
		d.found = append(d.found, Difference{Pointer: pointer(path), Severity: s, Old: cut(maskedLike(valueText(at, old), is)), New: cut(is)})
	}
}

// absent is the value of a member that a card does not have; null is another one.
type absent struct{}

// valueText returns a value as a difference lists it, whatever its length.
func valueText(path []string, v any) string {
	if _, none := v.(absent); none {
		return ""
	}
	return quoted(shownValue(path, v))
}

// quoted returns a value as JSON.
func quoted(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "?"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func cut(s string) string {
	if len(s) <= maxValue {
		return s
	}
	return strings.ToValidUTF8(s[:maxValue], "") + "…"
}

func pointer(path []string) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(p))
	}
	return b.String()
}

func below(path []string, name string) []string { return append(slices.Clip(path), name) }

// values compares two values of the same member.
func (d *drift) values(path []string, old, now any) {
	switch was := old.(type) {
	case map[string]any:
		if is, ok := now.(map[string]any); ok {
			d.objects(path, was, is)
			return
		}
	case []any:
		if is, ok := now.([]any); ok {
			d.lists(path, was, is)
			return
		}
	case json.Number, string, bool, nil:
		if was == now {
			return
		}
	}
	d.add(path, severity(path, old, now), old, now)
}

// objects compares two objects, member by member.
func (d *drift) objects(path []string, old, now map[string]any) {
	names := map[string]bool{}
	for n := range old {
		names[n] = true
	}
	for n := range now {
		names[n] = true
	}
	defer func(before bool) { d.examples = before }(d.examples)
	above, describes := d.examples, describesSecret(old) || describesSecret(now)
	for _, n := range sortedNames(names) {
		d.examples = above || describes && isExample(n)
		at := below(path, n)
		if len(path) == 0 && n == "signatures" {
			continue // judged by their keys
		}
		was, had := old[n]
		is, has := now[n]
		switch {
		case !had:
			d.add(at, severity(at, absent{}, is), absent{}, is)
		case !has:
			d.add(at, severity(at, was, absent{}), was, absent{})
		default:
			d.values(at, was, is)
		}
	}
}

func sortedNames(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for n := range set {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// severity grades a difference by the member in which it is.
func severity(path []string, old, now any) Severity {
	at := make([]string, len(path))
	for i, p := range path {
		at[i] = strings.ToLower(strings.ReplaceAll(p, "_", ""))
	}
	last := at[len(at)-1]
	switch at[0] {
	case "securityschemes":
		if len(at) > 2 && (last == "description" || last == "bearerformat") {
			return Other
		}
		return Security
	case "security", "securityrequirements", "authentication":
		return Security
	case "skills":
		if len(at) > 2 && (at[2] == "security" || at[2] == "securityrequirements") {
			return Security
		}
	case "url", "preferredtransport":
		return Address
	case "supportedinterfaces", "additionalinterfaces":
		if last != "protocolversion" {
			return Address
		}
	case "provider":
		if providerHost(old, last) != providerHost(now, last) {
			return Address
		}
	}
	return Other
}

// providerHost returns the host of a provider, or of its URL.
func providerHost(v any, member string) string {
	if object, ok := v.(map[string]any); ok {
		v, member = object["url"], "url"
	}
	text, _ := v.(string)
	if member != "url" {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	return hostname.Of(u)
}

// signatures compares who signed, and what the user's keys say about it.
func (d *drift) signatures(approved, now *a2a.Card, judge Judge) {
	was, is := signers(approved.Signatures), signers(now.Signatures)
	if !slices.Equal(was, is) {
		d.signed(signerWords(was), signerWords(is), signedSentence)
		return
	}
	if judge == nil || len(is) == 0 {
		return
	}
	if before, after := judge(approved), judge(now); after.loses(before) {
		d.signed(string(before), string(after), func(old, now string) string {
			return "The signature of the card is now " + now + "; it was " + old + "."
		})
	}
}

// signed adds a difference of the signatures, with a sentence of its own.
func (d *drift) signed(old, now string, sentence func(old, now string) string) {
	value := func(text string) any {
		if text == "" {
			return absent{}
		}
		return text
	}
	d.add([]string{"signatures"}, Security, value(old), value(now))
	d.found[len(d.found)-1].said = shownText(sentence(old, now))
}

// meaning adds what two cards mean otherwise although no member says so: a relative URL of
// another origin, or a member that occurs twice.
func (d *drift) meaning(old, now Snapshot) {
	has := func(s Severity) bool {
		return slices.ContainsFunc(d.found, func(f Difference) bool { return f.Severity == s })
	}
	if old.Source != now.Source && old.Source != "" && now.Source != "" {
		d.add(nil, Address, old.Source, now.Source)
	}
	if was, is := places(old.Interfaces), places(now.Interfaces); was != is && !has(Address) {
		d.add([]string{"supportedInterfaces"}, Address, was, is)
	}
	requirements := func(s *Snapshot) string { return strings.Join(distinct(s.Requirements), " or ") }
	if requirements(&old) != requirements(&now) && !has(Security) {
		d.add([]string{"securityRequirements"}, Security, requirements(&old), requirements(&now))
	}
	if was, is := schemeWords(old.Schemes), schemeWords(now.Schemes); was != is && !has(Security) {
		d.add([]string{"securitySchemes"}, Security, was, is)
	}
}

// places returns the endpoints in their order.
func places(list []InterfaceSnapshot) string {
	return strings.Join(mapped(list, func(i InterfaceSnapshot) string { return i.Place }), ", ")
}

// schemeWords returns what the schemes ask for, in the order of their names.
func schemeWords(list []NamedSummary) string {
	words := mapped(list, func(s NamedSummary) string { return s.Name + ": " + s.Words })
	slices.Sort(words)
	return strings.Join(words, ", ")
}
