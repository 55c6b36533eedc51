package a2a

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"parley/a2a/coding"
	"parley/a2a/httphead"
	"parley/a2a/jsontok"
)

// DeliveryFacts are facts that only the receiver of a delivery knows, and that its record
// cannot tell.
type DeliveryFacts struct {
	// RefusalReason says in one word why the delivery was rejected; empty if it was accepted. See
	// package webhook.
	RefusalReason string `json:"refused,omitempty"`
	// Validation is set when a server checked that the webhook exists.
	Validation bool `json:"validation,omitempty"`
	// Repeats is the delivery that this one repeats byte for byte.
	Repeats RecordID `json:"repeats,omitempty"`
	// Signed describes the signature that came with it: its algorithm and key.
	Signed string `json:"signed,omitempty"`
	// Verdict says whether the signature is verified, not verifiable or broken, and VerdictReason
	// why in one sentence; empty if nobody verified it.
	Verdict       string `json:"verdict,omitempty"`
	VerdictReason string `json:"verdictReason,omitempty"`
	// Remote is the address that it came from.
	Remote string `json:"remote,omitempty"`
}

// A Delivery is what an agent posted to a webhook (specification 0.1.0 §9.4, 0.3.0 §9.5,
// 1.0 §4.3.3).
type Delivery struct {
	Call *Call // its Delivery must be set; Signed is filled in
	Time time.Time
	Head Head
	// Message is the request as it was read from its connection; empty if unknown. If net/http
	// refused the head, Head.Header is filled in from it.
	Message httphead.Message
	Body    []byte
	Torn    bool
	// Codings decode a body in a content coding that the standard library has not.
	Codings coding.Codings
	// Secrets are what the agent was given to send along.
	Secrets []string
	// UserSecrets are secrets that may come back; nil is none.
	UserSecrets *Secrets
}

// Record returns a delivery as a record without its secrets, and what it means.
func (d *Delivery) Record() (Record, Update) {
	mask := d.masker()
	r := Record{Kind: KindDelivery, Dir: In, Time: d.Time, Call: d.Call, Torn: d.Torn}
	d.Call.Delivery.Signed = signatureOf(d.Head.Header, d.Body)
	head := d.head(mask)
	var gone, more []Redaction
	head.URL, gone = mask.url(head.URL)
	head.Header, more = mask.header(head.Header)
	r.Head, gone = &head, append(gone, more...)
	body, coded, err := decodeBody(d.Head.Header, d.Body, d.Codings, maxDelivery)
	r.Raw, more = mask.body(OpDelivery, mask.maskSignature(body))
	if coded != nil {
		r.Coding = recordCoding(coded, len(more) > 0 || !bytes.Equal(r.Raw, body))
	}
	if err != nil {
		r.Torn, r.Coding.Problem = true, codingProblem(err)
	}
	r.Redactions = append(gone, more...)
	return r, DecodeDelivery(&r)
}

// masker returns what masks the secrets of a delivery.
func (d *Delivery) masker() *masker {
	mask := newMasker(nil)
	if d.UserSecrets != nil {
		mask.vault = d.UserSecrets
	}
	mask.know(d.Secrets...)
	return mask
}

// head returns the head of a delivery with its bytes, or the reason why they are missing. Its
// URL and header are not masked yet.
func (d *Delivery) head(mask *masker) Head {
	head := d.Head
	final := d.Message.Final()
	switch {
	case strings.HasPrefix(head.Proto, "HTTP/2") && len(final) == 0:
		head.Rebuilt = rebuiltHTTP2
	case len(final) == 0:
		head.Rebuilt = rebuiltDelivery
	default:
		head.Wire, head.Omitted = mask.wire(final), d.Message.Omitted
		if head.Header == nil {
			head.Header = fieldMap(final, false)
		}
	}
	return head
}

// Answer returns the record of the answer to a delivery: its status, 0 if it was not answered.
// It belongs to the exchange that the record of the delivery began.
func (d *Delivery) Answer(status int, end End, at time.Time) Record {
	if trailer := d.Message.Trailer; len(httphead.Fields(trailer, true)) > 0 {
		mask := d.masker()
		header, _ := mask.header(fieldMap(trailer, true))
		end.Trailer = &Head{Header: header, Wire: mask.echoes(mask.fieldLines(trailer, true))}
	}
	r := Record{Kind: KindEnd, Dir: Out, Time: at, Call: d.Call, End: &end}
	if status != 0 {
		r.Head = &Head{Status: status, Proto: d.Head.Proto, Rebuilt: rebuiltAnswer}
	}
	return r
}

// HeadFault says what is wrong with a delivery whose head was refused, in one sentence.
func (d *Delivery) HeadFault() string {
	switch got := d.Message; {
	case httphead.IsTLS(got.Head):
		return "The caller speaks TLS, but the webhook receives plain HTTP: register the http:// address, or put a proxy in front of it that speaks TLS."
	case got.Omitted > 0:
		return fmt.Sprintf("Its head has %d bytes more than the %d kB that Parley reads; the delivery was rejected.", got.Omitted, len(got.Head)>>10)
	case !got.Complete:
		return "The connection ended, or took too long, before the head was complete."
	default:
		fault := cmp.Or(httphead.RequestFault(got.Final()), "see the received bytes") // net/http found a fault that is not checked here
		return "HTTP does not allow its head: " + fault + "; the delivery was rejected."
	}
}

// maxDelivery is how much of a delivery is decoded, in bytes.
const maxDelivery = 8 << 20

// codingProblem tells the user why a delivery could not be decoded.
func codingProblem(err error) string {
	var fault *coding.Error
	var limit *limitError
	switch {
	case errors.As(err, &limit):
		return fmt.Sprintf("The decoded delivery is longer than %d MB; Parley stopped reading there.", maxDelivery>>20)
	case errors.As(err, &fault) && fault.Cause == nil:
		return fmt.Sprintf("The delivery uses the content coding “%s”, which Parley does not support: configure the agent to send plain bytes.", clip(fault.Coding))
	case errors.As(err, &fault) && fault.Torn:
		return fmt.Sprintf("The delivery is labelled as %s but is incomplete.", fault.Coding)
	default:
		return "The delivery is not in the content coding that its header names: the agent, or a proxy in front of it, compresses wrongly."
	}
}

// maskSignature returns a body without its signed content if that contains a secret, which base64
// would hide only from the eye.
func (m *masker) maskSignature(body []byte) []byte {
	payload := jwsPayload(body)
	if payload == nil || len(m.spans(nil, payload, ""))+len(m.vault.all().spansIn(payload, false, nil)) == 0 {
		return body
	}
	parts := bytes.SplitN(body, []byte("."), 3)
	return bytes.Join([][]byte{parts[0], []byte(Mask), parts[2]}, []byte("."))
}

// DecodeDelivery decodes a delivery, and sets the record's Data if its body is a wrapper that
// is not itself JSON. A rejected delivery means nothing.
func DecodeDelivery(r *Record) Update {
	facts := r.Call.facts()
	if facts.RefusalReason != "" || facts.Validation {
		return Update{}
	}
	if payload := jwsPayload(r.Raw); payload != nil {
		r.Data = payload
	}
	if r.Coding != nil && r.Coding.Problem != "" {
		return Update{Err: &DecodeError{Sentence: strings.TrimSuffix(r.Coding.Problem, ".")}}
	}
	in := Input{Body: r.Payload(), Torn: r.Torn, Omitted: r.Omitted}
	if r.Head != nil {
		in.ContentType = r.Head.Header.Get("Content-Type")
	}
	return Decode(r.Call, in)
}

// facts returns those of a delivery, none if the call is no delivery.
func (c *Call) facts() DeliveryFacts {
	if c == nil || c.Delivery == nil {
		return DeliveryFacts{}
	}
	return *c.Delivery
}

// maxSigned is the longest signature header that is read, in bytes.
const maxSigned = 8 << 10

// jwsPayload returns what a JSON Web Signature in its compact form signs (RFC 7515
// §7.1), nil if a body is none.
func jwsPayload(body []byte) []byte {
	body = bytes.TrimSpace(body)
	if !bytes.HasPrefix(body, []byte("eyJ")) || bytes.Count(body, []byte(".")) != 2 {
		return nil
	}
	parts := bytes.SplitN(body, []byte("."), 3)
	if jose(parts[0]) == "" {
		return nil
	}
	payload := make([]byte, base64.RawURLEncoding.DecodedLen(len(parts[1])))
	n, err := base64.RawURLEncoding.Decode(payload, parts[1])
	if err != nil {
		return nil
	}
	return payload[:n]
}

// jose describes the header of a JSON Web Signature: its algorithm and its key; empty if
// it is none.
func jose(segment []byte) string {
	if len(segment) > maxSigned {
		return ""
	}
	text, err := base64.RawURLEncoding.DecodeString(string(segment))
	var head struct{ Alg, Kid string }
	if err != nil || json.Unmarshal(text, &head) != nil || head.Alg == "" {
		return ""
	}
	words := head.Alg
	if head.Kid != "" {
		words += ", key " + head.Kid
	}
	return words
}

// signedToken returns the three parts of the JSON Web Token of a delivery, nil if it has none.
func signedToken(header http.Header) []string {
	scheme, token, _ := strings.Cut(header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		token = ""
	}
	for _, t := range []string{token, header.Get("X-A2A-Notification-Token"), header.Get("A2A-Notification-Token")} {
		if parts := strings.Split(strings.TrimSpace(t), "."); len(parts) == 3 && jose([]byte(parts[0])) != "" {
			return parts
		}
	}
	return nil
}

// signatureOf describes the signature of a delivery: that of a token in the Authorization
// header, which may hold a hash of the body (request_body_sha256, as in the samples of
// 0.1), or of the body itself. It is empty if there is none.
func signatureOf(header http.Header, body []byte) string {
	if jwsPayload(body) != nil {
		first, _, _ := bytes.Cut(bytes.TrimSpace(body), []byte("."))
		return jose(first)
	}
	parts := signedToken(header)
	if parts == nil {
		return ""
	}
	words := jose([]byte(parts[0]))
	if words == "" || len(parts[1]) > maxSigned {
		return words
	}
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	var doc jsontok.Doc
	if err != nil || doc.Parse(claims) != nil {
		return words
	}
	hash := doc.Root().Get("request_body_sha256").Text()
	if hash == "" {
		return words
	}
	sum := sha256.Sum256(body)
	if subtle.ConstantTimeCompare([]byte(strings.ToLower(hash)), []byte(hex.EncodeToString(sum[:]))) == 1 {
		return words + ", made for this body"
	}
	return words + ", made for another body"
}
