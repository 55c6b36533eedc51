package cli

import (
	"net/netip"
	"strings"

	"parley/a2a/hostname"
	"parley/a2a/servertrust"
)

// readServerTrust reads the values of --insecure, --insecure-host and --tls-fingerprint.
func readServerTrust(insecure bool, hosts, fingerprints []string) (s servertrust.Trust, err error) {
	s.Insecure = insecure
	for _, h := range hosts {
		host, ok := plainHost(h)
		if !ok {
			return s, usage("The value %q of --insecure-host is not a host such as agent.example, without scheme, port and path.", line(h))
		}
		s.InsecureHosts = append(s.InsecureHosts, host)
	}
	for _, text := range fingerprints {
		name, value, found := strings.Cut(text, "=")
		host, ok := plainHost(name)
		if !found || !ok {
			return s, usage("The value %q of --tls-fingerprint is not HOST=FINGERPRINT, with a host such as agent.example, without scheme, port and path.", line(text))
		}
		f, why := servertrust.Parse(strings.TrimSpace(value))
		if why != "" {
			return s, usage("The fingerprint of %s in --tls-fingerprint cannot be read: %s.", line(host), why)
		}
		if s.Fingerprints == nil {
			s.Fingerprints = map[string][]servertrust.Fingerprint{}
		}
		key := hostname.Key(host)
		s.Fingerprints[key] = append(s.Fingerprints[key], f)
	}
	return s, nil
}

// plainHost returns a host as connections name it, false for a text that is none.
func plainHost(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "["); ok {
		text = strings.TrimSuffix(inner, "]")
	}
	name, ok := hostname.Name(text)
	if !ok {
		return text, false
	}
	text = name
	if _, err := netip.ParseAddr(text); err == nil {
		return text, true
	}
	return text, text != "" && len(text) < 256 && !strings.ContainsAny(text, ":/@?# \t\\") && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// insecureWarning says in a clause whose certificates are not verified, empty if all are. A host
// with a fingerprint is verified by that.
func (n *network) insecureWarning() string {
	whose, flag := "", "--insecure"
	if !n.servers.Insecure {
		var hosts []string
		for _, h := range n.servers.InsecureHosts {
			if !n.servers.Knows(h) {
				hosts = append(hosts, line(h))
			}
		}
		if len(hosts) == 0 {
			return ""
		}
		whose, flag = " of "+strings.Join(hosts, ", "), "--insecure-host"
	}
	if n.credentials() {
		return "TLS certificates" + whose + " are not verified (" + flag + "): the credentials go to whoever answers"
	}
	return "TLS certificates" + whose + " are not verified (" + flag + "): the answer may come from anyone"
}
