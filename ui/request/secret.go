package request

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
)

// A Secret is what stands behind a mask in the text of a request.
type Secret struct {
	Mask  string // unique in the text
	Name  string // "header Authorization"
	Value string
}

// fill puts the secrets in the place of their masks.
func fill(r *a2a.RawRequest, secrets []Secret) {
	if len(secrets) == 0 {
		return
	}
	pairs := make([]string, 0, 2*len(secrets))
	for i := len(secrets) - 1; i >= 0; i-- { // •••12 before •••1
		pairs = append(pairs, secrets[i].Mask, secrets[i].Value)
	}
	put := strings.NewReplacer(pairs...)
	r.URL = put.Replace(r.URL)
	for _, values := range r.Header {
		for i := range values {
			values[i] = put.Replace(values[i])
		}
	}
	if bytes.Contains(r.Body, []byte(a2a.Mask)) {
		r.Body = []byte(put.Replace(string(r.Body)))
	}
}

// Captured returns the request of a record, to be changed and sent again. Secrets do
// not stand in it but masks, and what they stand for; missing names those that are not
// in memory any more.
func Captured(rec *a2a.Record) (r a2a.RawRequest, secrets []Secret, missing []string) {
	masked := *rec
	masked.Redactions = slices.Clone(rec.Redactions)
	for i := range masked.Redactions {
		gone := &masked.Redactions[i]
		if gone.Original == "" {
			continue
		}
		s := Secret{Mask: a2a.Mask, Name: gone.Name, Value: gone.Original}
		if len(rec.Redactions) > 1 {
			s.Mask += strconv.Itoa(len(secrets) + 1)
		}
		gone.Original = s.Mask
		secrets = append(secrets, s)
	}
	r, missing = a2a.Unmask(&masked)
	return r, secrets, missing
}
