package a2a

import (
	"fmt"
	"net/http"

	"parley/a2a/coding"
	"parley/internal/units"
)

// ContentCoding says that bytes came in a content coding that was not requested. It is part of the
// record of a whole body and of a delivery, and of the end of a stream.
type ContentCoding struct {
	// Names are the codings as the header lists them: in the order in which they were
	// applied, "gzip" or "deflate, br".
	Names string `json:"names"`
	// Size is how many bytes came, before they were decoded.
	Size int64 `json:"size"`
	// Bytes are the bytes as they came. They are nil if LossReason says why they were not recorded.
	Bytes      []byte `json:"bytes,omitempty"`
	LossReason string `json:"lost,omitempty"`
	// Plain is set when the bytes are not in the coding that the header names, and were
	// read as they are.
	Plain bool `json:"plain,omitempty"`
	// Problem says why a delivery could not be decoded completely.
	Problem string `json:"problem,omitempty"`
}

// Reasons why the bytes of a coding are not recorded.
const (
	lossBySecret = "they would reveal what was masked"
	lossBySize   = "there are more than 4 MB of them"
)

// codingSentence says for a user what is wrong with an answer of a host.
func codingSentence(e *coding.Error, host string) string {
	switch {
	case e.Cause == nil:
		return fmt.Sprintf("%s answered in the content coding “%s”, which Parley neither asked for nor supports: configure the agent, or the proxy in front of it, to send plain bytes.",
			host, clip(e.Coding))
	case e.Torn:
		return fmt.Sprintf("%s answered in the content coding %s, which ends too early, after %s of text: the agent, or a proxy in front of it, cut it short.",
			host, e.Coding, units.InBytes(e.After))
	default:
		return fmt.Sprintf("%s labels its answer as %s, but after %s of text decoding fails: the agent, or a proxy in front of it, compresses wrongly.",
			host, e.Coding, units.InBytes(e.After))
	}
}

// recordCoding describes the bytes that came. Masked is set when a secret was removed from the text:
// the bytes would reveal it.
func recordCoding(c *coding.Body, masked bool) *ContentCoding {
	d := &ContentCoding{Names: c.Label(), Size: c.Size(), Plain: c.Plain()}
	switch {
	case c.Plain(): // Raw has them
	case masked:
		d.LossReason = lossBySecret
	case c.Size() > coding.MaxKept:
		d.LossReason = lossBySize
	default:
		d.Bytes = c.Kept()
	}
	return d
}

// decodeBody decodes a complete body up to limit bytes. It returns nil for coded if the header
// names no coding.
func decodeBody(h http.Header, body []byte, codings coding.Codings, limit int64) (decoded []byte, coded *coding.Body, err error) {
	if coded = coding.Whole(h, body, codings); coded == nil {
		return body, nil, nil
	}
	decoded, err = readAtMost(nil, coded, &limitError{LimitAnswer, limit})
	return decoded, coded, err
}

// DecodeBody returns a body without its content codings. A body in none is returned as it is. The
// error is a clause.
func DecodeBody(h http.Header, body []byte, codings coding.Codings, most int64) ([]byte, error) {
	plain, _, err := decodeBody(h, body, codings, most)
	return plain, err
}
