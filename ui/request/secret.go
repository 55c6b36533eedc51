package request

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
)

// A Secret is a value for which a mask stands in the text.
type Secret struct {
	Mask  string // unique in the text
	Name  string // such as "header Authorization"
	Value string
}

// fill replaces the masks in r by their values.
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

// FromRecord returns a copy of a record's request to edit and send. Masks stand for its secrets;
// missing names the secrets whose values are lost.
func FromRecord(rec *a2a.Record) (r a2a.RawRequest, secrets []Secret, missing []string) {
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
