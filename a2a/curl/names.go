package curl

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/a2a"
)

// variables are the names of the environment variables in place of masks.
type variables struct {
	url    map[int]string      // by the index of the redaction
	header map[string][]string // by the header's name, in the order of the masks
	body   map[int]string      // by the index of the redaction
}

// names gives every masked value its own name; equal values share one.
func names(r *a2a.Record) variables {
	v := variables{url: map[int]string{}, header: map[string][]string{}, body: map[int]string{}}
	byValue, taken := map[string]string{}, map[string]int{}
	for i := range r.Redactions {
		gone := &r.Redactions[i]
		header, inHeader := strings.CutPrefix(gone.Name, "header ")
		name := variable(strings.TrimPrefix(header, "query "))
		if known, ok := byValue[name+gone.Same()]; ok {
			name = known
		} else {
			plain := name
			if taken[plain]++; taken[plain] > 1 {
				name += "_" + strconv.Itoa(taken[plain])
			}
			byValue[plain+gone.Same()] = name
		}
		switch {
		case inHeader:
			v.header[header] = append(v.header[header], name)
		case gone.Length > 0:
			v.body[i] = name
		default:
			v.url[i] = name
		}
	}
	return v
}

// urlNames returns the variables of a URL in the order of its masks, which may differ from that
// of its redactions.
func urlNames(r *a2a.Record, v variables) []string {
	var list []string
	used := map[int]bool{}
	rest := r.Head.URL
	for {
		before, after, found := a2a.CutMask(rest)
		if !found {
			return list
		}
		field := before[strings.LastIndexAny(before, "?&")+1:]
		param, isParam := strings.CutSuffix(field, "=")
		if plain, err := url.QueryUnescape(param); err == nil {
			param = plain
		}
		wanted := "in the URL"
		switch {
		case isParam:
			wanted = "query " + param
		case strings.HasSuffix(before, "://") && strings.HasPrefix(after, "@"):
			wanted = "user in the URL"
		case strings.HasSuffix(before, ":") && strings.HasPrefix(after, "@"):
			wanted = "password in the URL"
		}
		name, at := "", -1
		for i := range r.Redactions {
			if v.url[i] != "" && !used[i] && (at < 0 || r.Redactions[i].Name == wanted && r.Redactions[at].Name != wanted) {
				name, at = v.url[i], i
			}
		}
		if at < 0 {
			return list // the others are not masks
		}
		used[at] = true
		list = append(list, name)
		rest = after
	}
}

// variable returns the name of an environment variable for a masked value.
func variable(what string) string {
	switch what {
	case "password in the URL":
		what = "password"
	case "user in the URL":
		what = "user"
	case "in the URL", "in the body":
		what = "secret"
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		case r >= utf8.RuneSelf:
			return -1
		default:
			return '_'
		}
	}, what)
	return "A2A_" + name
}
