package signin

import (
	"slices"
	"strings"

	"parley/a2a"
)

// restored returns the attempt with the addresses that are requested, and what stands for secrets in those that
// were recorded: masks with a number take their place, as in every address of a session.
func (a *Login) restored() *Login {
	out := *a
	restore := func(address *string) {
		for rest := *address; ; {
			before, after, found := a2a.CutMask(rest)
			if !found {
				break
			}
			mask := rest[len(before) : len(rest)-len(after)]
			if original, known := a.Session.Restore(mask); known {
				out.hidden = append(out.hidden, original)
			}
			rest = after
		}
		*address, _ = a.Session.Restore(*address)
	}
	params := make(map[string]string, len(a.Challenge.Params))
	for name, value := range a.Challenge.Params {
		restore(&value)
		params[name] = value
	}
	out.Challenge.Params = params
	f, s := &out.Step.Flow, &out.Step.Scheme
	for _, address := range []*string{&out.Refused, &f.AuthorizationURL, &f.TokenURL, &f.RefreshURL, &f.DeviceAuthorizationURL, &s.OAuth2MetadataURL, &s.OpenIDConnectURL} {
		restore(address)
	}
	return &out
}

// unkept says in a clause why no file may have an identity of a server: one of its addresses has a secret. It is empty
// for every other one.
func (a *Login) unkept(s *Server) string {
	for _, address := range []string{s.Issuer, s.AuthURL, s.TokenURL, s.DeviceURL, s.RevokeURL} {
		if slices.ContainsFunc(a.hidden, func(secret string) bool { return strings.Contains(address, secret) }) {
			return "an address of the authorization server has a secret of yours in it, which no file may have"
		}
	}
	return ""
}
