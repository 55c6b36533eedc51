package signature

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"parley/a2a"
)

// Deliveries verifies the tokens with which agents sign push notifications: a JSON Web Token
// (RFC 7519) in the Authorization header or in that of the notification token, or a body that is
// itself a JSON Web Signature. It downloads nothing. It is safe for use by several goroutines.
type Deliveries struct {
	now func() time.Time

	mu   sync.Mutex
	keys *Keys
	used map[string]use // tokens that were verified, by issuer and id
}

// A use is the delivery for which a token was used, and when the token ends.
type use struct {
	body [sha256.Size]byte
	end  time.Time
}

// A DeliveryResult is the verdict on a delivery.
type DeliveryResult struct {
	// Signed is set if the delivery has a signature; otherwise there is nothing to say.
	Signed  bool
	Verdict Verdict // never Deviates
	// Why says in one sentence why the signature is not verified; empty if it is.
	Why string
	// Proves is set if the signature proves that a trusted agent meant this delivery for this
	// webhook: the token is bound to one of them.
	Proves bool
	// Forged is set if a trusted key signed something else.
	Forged bool
}

// Limits for the tokens of deliveries.
const (
	maxToken  = 16 << 10
	maxUsed   = 4096
	clockSkew = time.Minute     // that is tolerated
	maxAge    = 5 * time.Minute // of a token that does not say when it ends
)

// NewDeliveries returns a verifier that trusts keys, which may be nil. now is its clock.
func NewDeliveries(keys *Keys, now func() time.Time) *Deliveries {
	return &Deliveries{now: now, keys: keys, used: map[string]use{}}
}

// SetKeys replaces the trusted keys, which are not changed afterwards.
func (d *Deliveries) SetKeys(keys *Keys) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keys = keys
}

// Keys returns the trusted keys, which must not be changed.
func (d *Deliveries) Keys() *Keys {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.keys
}

// tokenHeaders are the headers in which agents send tokens, canonical.
var tokenHeaders = [...]string{"Authorization", "X-A2a-Notification-Token", "A2a-Notification-Token"}

// tokenOf returns the token of a delivery, and whether it is the body.
func tokenOf(header http.Header, body []byte) (token string, isBody bool) {
	for _, name := range tokenHeaders {
		for _, value := range header[name] {
			if name == "Authorization" {
				scheme, rest, _ := strings.Cut(value, " ")
				if !strings.EqualFold(scheme, "bearer") {
					continue
				}
				value = rest
			}
			if value = strings.TrimSpace(value); LooksSigned(value) {
				return value, false
			}
		}
	}
	if trimmed := bytes.TrimSpace(body); bytes.HasPrefix(trimmed, []byte("eyJ")) && bytes.Count(trimmed, []byte(".")) == 2 {
		return string(trimmed), true
	}
	return "", false
}

// LooksSigned reports whether a text has the form of a signed JSON Web Token.
func LooksSigned(text string) bool {
	return strings.HasPrefix(text, "eyJ") && strings.Count(text, ".") == 2
}

// claims are what a token says.
type claims struct {
	Issuer   string      `json:"iss"`
	Audience audience    `json:"aud"`
	ID       string      `json:"jti"`
	Issued   json.Number `json:"iat"`
	Begins   json.Number `json:"nbf"`
	Ends     json.Number `json:"exp"`
	Body     string      `json:"request_body_sha256"`
}

// An audience is one name or several.
type audience []string

// UnmarshalJSON reads either form.
func (a *audience) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*a = audience{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(a))
}

// Judge verifies a delivery to a webhook of this address.
func (d *Deliveries) Judge(address string, header http.Header, body []byte) (r DeliveryResult) {
	token, isBody := tokenOf(header, body)
	if token == "" {
		return r
	}
	r.Signed = true
	if !isBody && len(token) > maxToken {
		r.Why = fmt.Sprintf("Its token is longer than %d KiB.", maxToken>>10)
		return r
	}
	parts := strings.Split(token, ".")
	head, h := readHeader(a2a.Signature{Protected: parts[0], Signature: parts[2]})
	if head.Why != "" {
		r.Why = head.Why
		return r
	}
	payload := d.verify(&r, &head, h, token)
	if payload == nil {
		return r
	}
	if isBody { // the body is what was signed
		r.Verdict, r.Proves = Verified, false
		return r
	}
	d.judgeClaims(&r, payload, address, body)
	return r
}

// verify returns what a trusted key signed, nil if none did.
func (d *Deliveries) verify(r *DeliveryResult, head *Result, h header, token string) []byte {
	keys := d.Keys()
	candidates := keys.find(head.KeyID, h.Algorithm)
	if len(candidates) == 0 {
		r.Why = fmt.Sprintf("The key %q of its token is not among those that you trust (--card-key).", cutText(head.KeyID))
		if head.KeyURL != "" {
			r.Why = fmt.Sprintf("The key %q of its token is at %s, an address that the delivery itself names, and not among those that you trust (--card-key).", cutText(head.KeyID), cutText(head.KeyURL))
		}
		return nil
	}
	jws, err := jose.ParseSignedCompact(token, algorithms)
	if err != nil {
		r.Why = "Its token is no JSON Web Signature that Parley can read."
		return nil
	}
	for _, k := range candidates[:min(len(candidates), maxCandidates)] {
		k.now = d.now()
		if why := k.unusable(); why != "" {
			r.Why = why
			continue
		}
		if payload, err := jws.Verify(k.key); err == nil {
			return payload
		}
		if k.id != "" && k.id == head.KeyID {
			r.Verdict, r.Forged = Broken, true
			r.Why = fmt.Sprintf("The key %q, which you trust, did not sign its token.", k.id)
			return nil
		}
		r.Why = "None of the trusted keys signed its token."
	}
	return nil
}

// judgeClaims says whether a token, which a trusted key signed, is for this delivery, now.
func (d *Deliveries) judgeClaims(r *DeliveryResult, payload []byte, address string, body []byte) {
	r.Verdict = Broken
	var c claims
	if json.Unmarshal(payload, &c) != nil {
		r.Why = "Its token contains no claims that Parley can read."
		return
	}
	sum := sha256.Sum256(body)
	bound := false
	if c.Body != "" {
		if bound = subtle.ConstantTimeCompare([]byte(strings.ToLower(c.Body)), []byte(hex.EncodeToString(sum[:]))) == 1; !bound {
			r.Forged, r.Why = true, "Its token was made for another body (request_body_sha256)."
			return
		}
	}
	if len(c.Audience) > 0 {
		if !slices.ContainsFunc(c.Audience, func(a string) bool { return sameAudience(a, address) }) {
			r.Why = "Its token is for another receiver (aud)."
			return
		}
		bound = true
	}
	end, why := c.times(d.now())
	if why != "" {
		r.Why = why
		return
	}
	if c.ID != "" && !d.use(c.Issuer+"\x00"+c.ID, use{sum, end}) {
		r.Forged, r.Why = true, "Its token was used before, for another delivery (jti)."
		return
	}
	r.Verdict, r.Proves = Verified, bound
	if !bound {
		r.Why = "Its token names neither this webhook (aud) nor this body, so it proves only who made it."
	}
}

// sameAudience reports whether a token's audience is a webhook or its server.
func sameAudience(audience, address string) bool {
	trim := func(s string) string { return strings.TrimRight(s, "/") }
	return trim(audience) == trim(address) || a2a.Origin(address) != "" && trim(audience) == a2a.Origin(address)
}

// times returns when a token ends, and why it is not valid now, in one sentence.
func (c *claims) times(now time.Time) (end time.Time, why string) {
	issued, okIssued := moment(c.Issued)
	begins, okBegins := moment(c.Begins)
	end, okEnd := moment(c.Ends)
	far := func(since time.Duration) string { return since.Abs().Round(time.Second).String() }
	switch {
	case !okIssued || !okBegins || !okEnd:
		return end, "Its token has a time that is no number of seconds."
	case !end.IsZero() && now.After(end.Add(clockSkew)):
		return end, "Its token ended " + far(now.Sub(end)) + " ago (exp): it is old, or the clocks differ."
	case !issued.IsZero() && issued.After(now.Add(clockSkew)):
		return end, "Its token was made " + far(issued.Sub(now)) + " in the future (iat): the clocks differ."
	case !begins.IsZero() && begins.After(now.Add(clockSkew)):
		return end, "Its token begins in " + far(begins.Sub(now)) + " (nbf): the clocks differ."
	case !end.IsZero():
		return end, ""
	case issued.IsZero():
		return end, "Its token says neither when it was made (iat) nor when it ends (exp), so it could be used for ever."
	case now.After(issued.Add(maxAge + clockSkew)):
		return end, "Its token was made " + far(now.Sub(issued)) + " ago (iat) and does not say when it ends: it is old, or the clocks differ."
	}
	return issued.Add(maxAge), ""
}

// moment returns a time of a token, the zero time if there is none, and false for one that Parley
// cannot read.
func moment(n json.Number) (t time.Time, ok bool) {
	if n == "" {
		return t, true
	}
	const last = 253402300799 // the end of the year 9999
	seconds, err := n.Float64()
	if err != nil || seconds < 0 || seconds > last {
		return t, false
	}
	return time.Unix(int64(seconds), 0), true
}

// use notes that a token was used for a delivery. It reports false if it was used for another
// one: an agent may repeat a delivery that was not answered.
func (d *Deliveries) use(token string, u use) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	if before, known := d.used[token]; known {
		return before.body == u.body
	}
	if len(d.used) >= maxUsed {
		for t, old := range d.used {
			if now.After(old.end.Add(clockSkew)) {
				delete(d.used, t)
			}
		}
	}
	for len(d.used) >= maxUsed { // forget the one that ends first
		first := ""
		for t, old := range d.used {
			if first == "" || old.end.Before(d.used[first].end) {
				first = t
			}
		}
		delete(d.used, first)
	}
	d.used[token] = u
	return true
}

// cutText cuts a text of a stranger for a sentence.
func cutText(s string) string {
	const most = 200
	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}
