package a2a

import (
	"bytes"
	"net/url"
	"strings"
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
				values[i] = v[:at] + original + v[at+len(Mask):]
				return
			}
			from = at + len(Mask)
		}
	}
}

// revealURL puts an original back into a URL.
func revealURL(shown string, gone *Redaction) string {
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
