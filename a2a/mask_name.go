package a2a

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// secretWords are words that mark a header or query parameter as secret anywhere in its name.
var secretWords = [...]string{
	"secret", "secrets", "password", "passwd", "passphrase", "passcode", "pwd", "pw", "credential", "credentials",
	"signature", "sig", "hmac", "otp", "totp", "csrf", "xsrf", "jwt", "bearer", "cookie", "assertion",
	"apikey", "session", "sessionid", "jsessionid", "phpsessid", "sid",
}

// secretEnds are words that do so at the end of a name, and the words before them that make an
// exception: an idempotency key is not a secret, nor is a page token.
var secretEnds = map[string][]string{
	"token": {"page", "next", "continuation", "cursor", "sync", "cancellation"},
	"key": {"idempotency", "public", "partition", "cache", "sort", "primary", "foreign", "websocket", "surrogate", "routing",
		"message", "event", "task", "object", "group"},
	"auth": nil, "authorization": nil, "pass": nil, "pin": nil, "ticket": nil,
}

// joinedEnds are ends of names without a separator between their words.
var joinedEnds = [...]string{"token", "secret", "password", "apikey", "accesskey", "secretkey", "privatekey", "sessionid", "cookie"}

// secretParams are names that mark a query parameter as secret only as the whole name.
var secretParams = [...]string{"code", "key", "auth"}

// secretName reports whether the name of a header or query parameter marks its value as a
// secret. Names are compared word by word: neither a page token nor a count of used tokens is a
// secret.
func secretName(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return false
	}
	for i, w := range words {
		if slices.Contains(secretWords[:], w) || w == "key" && i > 0 && words[i-1] == "api" {
			return true
		}
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	if others, ends := secretEnds[last]; ends {
		return !slices.Contains(others, before)
	}
	for _, end := range joinedEnds {
		if kind, ok := strings.CutSuffix(last, end); ok {
			return !slices.ContainsFunc(secretEnds["token"], func(other string) bool { return strings.HasSuffix(kind, other) })
		}
	}
	return false
}

// SecretName reports whether the name of a header or of a query parameter says that its
// value is a credential.
func SecretName(name string) bool {
	return slices.Contains(credentialHeaders[:], http.CanonicalHeaderKey(name)) || slices.Contains(secretParams[:], strings.ToLower(name)) || secretName(name)
}

// nameWords returns the words of a name in lower case: api_key, apiKey, Api-Key and API_KEY
// have the same.
func nameWords(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	lower := false
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			lower = false
			continue
		}
		if unicode.IsUpper(r) && lower {
			end()
		}
		word = append(word, r)
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
	}
	end()
	return words
}

// secretMembers are the names of JSON members whose values are secrets, anywhere in a body.
// They match whole names, so pageToken, token_usage and authorizationUrl do not match, and in
// each of [memberSpellings].
var secretMembers = [...]string{
	"password", "passwd", "passphrase", "secret", "client_secret", "api_key", "apikey", "x_api_key", "access_token", "refresh_token",
	"id_token", "auth_token", "session_token", "private_key", "secret_key", "secret_access_key", "authorization", "proxy_authorization",
	"cookie", "set_cookie",
}

// memberNames returns the names of secret members: Parley's list and the user's, from which
// "!name" removes one.
func memberNames(named []string) []string {
	names := secretMembers[:]
	for _, n := range named {
		n = strings.TrimSpace(n)
		if out, ok := strings.CutPrefix(n, "!"); ok {
			names = slices.DeleteFunc(slices.Clone(names), func(listed string) bool { return equalNames(listed, out) })
		} else if n != "" {
			names = append(names[:len(names):len(names)], n)
		}
	}
	return names
}

func equalNames(a, b string) bool {
	return strings.Join(nameWords(a), "") == strings.Join(nameWords(b), "")
}

// memberSpellings returns the spellings of a name by all common conventions: unchanged,
// client_secret, client-secret, clientSecret, ClientSecret, Client-Secret, CLIENT_SECRET and
// clientsecret.
func memberSpellings(name string) []string {
	words := nameWords(name)
	title := make([]string, len(words))
	for i, w := range words {
		r := []rune(w)
		title[i] = string(unicode.ToUpper(r[0])) + string(r[1:])
	}
	camel := strings.Join(title, "")
	if len(words) > 0 {
		camel = words[0] + strings.Join(title[1:], "")
	}
	all := []string{name, strings.Join(words, "_"), strings.Join(words, "-"), camel, strings.Join(title, ""), strings.Join(title, "-"),
		strings.ToUpper(strings.Join(words, "_")), strings.Join(words, "")}
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	slices.Sort(all)
	return slices.Compact(all)
}
