package cli

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/internal/signature"
)

// signatureFlags say whose signatures of cards are trusted.
type signatureFlags struct {
	files []string // key sets or PEM files
	hosts []string // hosts whose key sets may be downloaded

	trusted *signature.Keys // what read found in the files
}

func (f *signatureFlags) flags(set *pflag.FlagSet) {
	f.fileFlag(set)
	set.StringArrayVar(&f.hosts, "card-key-host", nil, "if the card says that its keys are on this `host`, download them from there, and trust them; repeatable")
}

// fileFlag defines --card-key alone: in the workbench, the user decides about a host when a card
// names it.
func (f *signatureFlags) fileFlag(set *pflag.FlagSet) {
	set.StringArrayVar(&f.files, "card-key", nil, "verify the signatures of cards with the public keys in this `FILE`, a JSON Web Key Set or PEM; repeatable")
}

// pushFlag is fileFlag for a command that receives push notifications.
func (f *signatureFlags) pushFlag(set *pflag.FlagSet) {
	set.StringArrayVar(&f.files, "card-key", nil, "verify signed push notifications with the public keys in this `FILE`, a JSON Web Key Set or PEM; repeatable")
	set.StringArrayVar(&f.hosts, "card-key-host", nil, "also trust the keys that this `host` publishes at /.well-known/jwks.json; repeatable")
}

// wellKnownKeys returns the addresses where the hosts of --card-key-host publish their keys.
func (f *signatureFlags) wellKnownKeys() (addresses []string) {
	for _, h := range f.hosts {
		address := "https://" + h + "/.well-known/jwks.json"
		if plain := "http://" + h + "/.well-known/jwks.json"; signature.CheckKeyURL(plain) == "" { // this machine
			address = plain
		}
		addresses = append(addresses, address)
	}
	return addresses
}

// read reads the files of --card-key.
func (f *signatureFlags) read(now func() time.Time) error {
	f.trusted = signature.NewKeys(now)
	for _, path := range f.files {
		data, err := readPEM(path)
		if err == nil {
			err = f.trusted.Add(path, data)
		}
		if err != nil {
			return usage("The keys of --card-key cannot be read: %s.", err)
		}
	}
	for _, h := range f.hosts {
		if h == "" || strings.ContainsAny(h, "/@?#") {
			return usage("The value %q of --card-key-host is not a host such as keys.example.", line(h))
		}
	}
	return nil
}

// trustKeys reads the keys that the flags name, and verifies with them.
func (a *app) trustKeys(f *signatureFlags) error {
	if err := f.read(now); err != nil {
		return err
	}
	a.verifier().SetKeys(f.trusted)
	return nil
}

// verifySignatures judges the signatures of a card. Key sets are downloaded only from the hosts
// that the user named: their addresses come from whoever wrote the card.
func (op *operation) verifySignatures(c *a2a.Card, f *signatureFlags) []signature.Result {
	results := op.verifyWithKeys(c, f)
	if best, _ := signature.Best(results); best.Verdict == signature.Broken {
		signature.NameDifference(results, op.approvedDifference(c))
	}
	return results
}

// verifyWithKeys is verifySignatures without the approved card.
func (op *operation) verifyWithKeys(c *a2a.Card, f *signatureFlags) []signature.Result {
	results := signature.Verify(c.Raw, c.Signatures, f.trusted)
	if best, _ := signature.Best(results); best.Verdict == signature.Verified {
		return results
	}
	asked := map[string]bool{}
	for _, r := range results {
		if !asked[r.KeyURL] && f.mayAsk(r.KeyURL) {
			asked[r.KeyURL] = true
			op.downloadKeys("of the card", r.KeyURL, f.trusted)
		}
	}
	if len(asked) == 0 {
		return results
	}
	return signature.Verify(c.Raw, c.Signatures, f.trusted)
}

// mayAsk reports whether the user lets keys be downloaded from an address.
func (f *signatureFlags) mayAsk(keyURL string) bool {
	u, err := url.Parse(keyURL)
	named := func(host string) bool {
		at := url.URL{Host: host}
		return hostname.Same(at.Hostname(), u.Hostname()) && (at.Port() == "" || at.Port() == u.Port())
	}
	return err == nil && signature.CheckKeyURL(keyURL) == "" && slices.ContainsFunc(f.hosts, named)
}

// downloadKeys adds the keys of a key set on the network; whose says which they are.
func (op *operation) downloadKeys(whose, address string, keys *signature.Keys) {
	before := op.answer
	defer func() { op.answer = before }()
	op.answer = answer{noted: true}
	sig, err := op.turn(func() a2a.TurnID { return op.engine.DownloadFile(op.agent, address) })
	switch file := op.state.Agent(op.agent).File(address); {
	case err != nil:
		op.app.note("Warning", "The keys %s cannot be downloaded: %s", whose, line(err.Error()))
	case sig.Sentence != "" || file == nil:
		op.app.note("Warning", "The keys %s cannot be downloaded: %s", whose, line(sig.Sentence))
	default:
		if err := keys.Add(address, file.Data); err != nil {
			op.app.note("Warning", "The keys %s cannot be used: %s.", whose, line(err.Error()))
		}
	}
}

// signatureWords describes a result on one line.
func signatureWords(r signature.Result) string {
	words := []string{r.Verdict.String()}
	if r.Algorithm != "" {
		words = append(words, line(r.Algorithm))
	}
	if r.KeyID != "" {
		words = append(words, fmt.Sprintf("key %q", line(r.KeyID)))
	}
	if r.Key != "" {
		words = append(words, "from "+line(r.Key))
	}
	if r.Why != "" {
		words = append(words, line(r.Why))
	}
	return strings.Join(words, ", ")
}

// signatures writes what is known about each signature of a card.
func (p *page) signatures(results []signature.Result) {
	if len(results) == 0 {
		p.field("Signature", "absent")
	}
	for _, r := range results {
		p.field("Signature", signatureWords(r))
	}
}

// tellSignatures writes to standard error what the document on standard output cannot contain.
func (a *app) tellSignatures(results []signature.Result) {
	if len(results) == 0 {
		a.note("Signature", "absent")
	}
	for _, r := range results {
		a.note("Signature", "%s", signatureWords(r))
	}
}

// brokenCard is the failure of a card that none of its signatures speaks for, although a
// trusted key is at hand. It is nil for all other cards: signing is optional (A2A 1.0 §8.4).
func brokenCard(results []signature.Result) error {
	best, ok := signature.Best(results)
	if !ok || best.Verdict != signature.Broken {
		return nil
	}
	return &fault{code: codeCardInvalid, message: "The signature of the card is broken. " + line(best.Why),
		hint: "Do not trust this card before its author has explained the change."}
}
