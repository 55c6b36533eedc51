package a2a

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"parley/a2a/jsontok"
)

// Unmask returns a request as it was sent, with the masked secrets that are still in memory.
// Missing names the others: the mask remains in their place.
func Unmask(rec *Record) (r RawRequest, missing []string) {
	if rec.Kind != KindRequest || rec.Head == nil {
		return RawRequest{}, nil
	}
	r = RawRequest{Method: rec.Head.Method, URL: rec.Head.URL, Header: rec.Head.Header.Clone()}
	var body bytes.Buffer
	from := 0
	headers := map[string]int{} // masks of a name that are done
	for i := range rec.Redactions {
		gone := &rec.Redactions[i]
		name, inHeader := strings.CutPrefix(gone.Name, "header ")
		switch {
		case gone.Original == "":
			missing = append(missing, gone.Name)
			if inHeader {
				headers[name]++
			}
		case gone.Length > 0:
			if gone.Offset < from || gone.Length > len(rec.Raw)-gone.Offset {
				continue
			}
			body.Write(rec.Raw[from:gone.Offset])
			body.WriteString(gone.Original)
			from = gone.Offset + gone.Length
		case inHeader:
			reveal(r.Header[name], headers[name], gone.Original)
		default:
			r.URL = revealURL(r.URL, gone)
		}
	}
	body.Write(rec.Raw[from:])
	r.Body = body.Bytes()
	r.Header.Del("Content-Length")
	if u, err := url.Parse(r.URL); err == nil && u.Host == r.Header.Get("Host") {
		r.Header.Del("Host")
	}
	return r, missing
}

// reveal replaces the mask after the first skip ones by an original.
func reveal(values []string, skip int, original string) {
	for i, v := range values {
		for from := 0; ; skip-- {
			at := strings.Index(v[from:], Mask)
			if at < 0 {
				break
			}
			if at += from; skip == 0 {
				_, number := fromSubscripts(v[at+len(Mask):])
				values[i] = v[:at] + original + v[at+len(Mask)+number:]
				return
			}
			from = at + len(Mask)
		}
	}
}

// revealURL puts an original back into a URL.
func revealURL(shown string, gone *Redaction) string {
	if gone.Number > 0 {
		return strings.Replace(shown, gone.Shown(), gone.Original, 1)
	}
	mask := Mask
	original := gone.Original
	switch param, query := strings.CutPrefix(gone.Name, "query "); {
	case query:
		mask, original = param+"="+Mask, param+"="+original
		if !strings.Contains(shown, mask) { // the name has another spelling
			mask, original = "="+Mask, "="+gone.Original
		}
	case gone.Name == userInURL:
		mask, original = "://"+Mask+"@", "://"+original+"@"
	case gone.Name == passwordInURL:
		mask, original = ":"+Mask+"@", ":"+original+"@"
	}
	return strings.Replace(shown, mask, original, 1)
}

// A restorer puts secrets into a request in place of their stand-ins.
type restorer struct {
	secrets *Secrets
	unknown string // names the first place with a mask that cannot be replaced
}

// text restores an id, a cursor or an address.
func (r *restorer) text(name string, s *string) {
	restored, ok := r.secrets.Restore(*s)
	if !ok {
		r.refuse(name)
	}
	*s = restored
}

// content refuses a text with a mask: it may go elsewhere than the secret came from.
func (r *restorer) content(name string, text []byte) {
	if bytes.Contains(text, []byte(Mask)) || bytes.Contains(text, []byte(`\u2022\u2022\u2022`)) {
		r.refuse(name)
	}
}

func (r *restorer) refuse(name string) { r.unknown = cmp.Or(r.unknown, name) }

// request returns a request as it is sent. The caller's values stay as they are.
func (r *restorer) request(req *Request) {
	r.text("task id", &req.TaskID)
	r.text("context id", &req.ContextID)
	r.text("tenant", &req.Tenant)
	r.text("id of the push configuration", &req.PushID)
	r.text("id of the last event", &req.LastEventID)
	r.text("context id", &req.List.ContextID)
	r.text("page token", &req.List.PageToken)
	r.text("address of the file", &req.URI)
	r.content("metadata", req.Metadata)
	req.Push, req.Config.Push = r.push(req.Push), r.push(req.Config.Push)
	req.Message = r.message(req.Message)
}

func (r *restorer) push(p *PushConfig) *PushConfig {
	if p == nil {
		return nil
	}
	sent := *p
	r.text("id of the push configuration", &sent.ID)
	r.text("task id", &sent.TaskID)
	r.text("address of the webhook", &sent.URL)
	r.text("token of the webhook", &sent.Token)
	r.text("credentials of the webhook", &sent.Credentials)
	return &sent
}

func (r *restorer) message(m *Message) *Message {
	if m == nil {
		return nil
	}
	sent := *m
	r.text("task id", &sent.TaskID)
	r.text("context id", &sent.ContextID)
	sent.ReferenceTaskIDs = slices.Clone(m.ReferenceTaskIDs)
	for i := range sent.ReferenceTaskIDs {
		r.text("task id", &sent.ReferenceTaskIDs[i])
	}
	r.content("metadata of the message", m.Metadata)
	sent.Parts = slices.Clone(m.Parts)
	for i := range sent.Parts {
		p := &sent.Parts[i]
		r.text("address of the file", &p.URL)
		r.content("message", []byte(p.Text))
		r.content("name of the file", []byte(p.Filename))
		r.content("data of the message", p.Data)
		r.content("metadata of the message", p.Metadata)
	}
	return &sent
}

// restored returns a request as it is sent, or a sentence that says why it cannot be.
func (c *Client) restored(req Request) (Request, string) {
	r := restorer{secrets: c.wire.mask.vault}
	r.request(&req)
	if r.unknown != "" {
		return req, unknownMask(r.unknown)
	}
	return req, ""
}

// restoredURL returns an address as it is sent, or a sentence that says why it cannot be.
func (w *wire) restoredURL(name, address string) (string, string) {
	restored, whole := w.mask.vault.Restore(address)
	if !whole {
		return address, unknownMask(name)
	}
	return restored, ""
}

// restoreBody restores a request that a user wrote. In JSON a secret is escaped.
func (s *Secrets) restoreBody(body []byte) ([]byte, bool) {
	if !bytes.Contains(body, []byte(Mask)) {
		return body, true
	}
	var doc jsontok.Doc
	quoted := doc.Parse(body) == nil
	text, whole := s.restore(string(body), func(original string) string {
		if quoted {
			return inJSON(original, false)
		}
		return original
	})
	return []byte(text), whole
}

// unknownMask says why something with a mask is not sent.
func unknownMask(where string) string {
	return fmt.Sprintf("Nothing was sent: the %s contains %s in place of a value that Parley does not know. "+
		"Enter the value, or remove it.", where, Mask)
}
