package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley/a2a/jsontok"
	"parley/internal/units"
)

const (
	maxPattern  = 1_000 // bytes of a pattern that is checked
	maxExponent = 300   // largest exponent of a number that is compared
)

// present reports whether the user entered a value.
func (f *node) present() bool {
	switch f.kind {
	case kindChoice:
		return f.pick >= 0
	case kindGroup:
		return f.open
	case kindList:
		return len(f.children) > 0 || f.required
	case kindFixed:
		return true
	default:
		return f.text != ""
	}
}

// check returns what is wrong with a value, regardless of the values below it; empty if nothing
// is.
func (f *node) check() string {
	if !f.present() {
		if f.required {
			return "is required"
		}
		return ""
	}
	switch f.kind {
	case kindText:
		return f.checkText()
	case kindNumber, kindInteger:
		return f.checkNumber()
	case kindList:
		return f.checkCount(len(f.children), "Items", "item")
	case kindJSON:
		var v any
		if err := json.Unmarshal([]byte(f.text), &v); err != nil {
			return "is not JSON: put a text between double quotes"
		}
	case kindChoice, kindGroup, kindFixed:
	}
	return ""
}

func (f *node) checkText() string {
	if wrong := f.checkCount(utf8.RuneCountInString(f.text), "Length", "character"); wrong != "" {
		return wrong
	}
	if pattern := f.get("pattern").Text(); pattern != "" && len(pattern) <= maxPattern {
		if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(f.text) {
			return "does not match " + line(pattern)
		}
	}
	return f.checkFormat()
}

// checkFormat checks the formats in which users make mistakes.
func (f *node) checkFormat() string {
	text := f.text
	switch f.get("format").Text() {
	case "date":
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return "is not a date: write it as 2026-11-20"
		}
	case "date-time":
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return "is not a time: write it as 2026-11-20T14:30:00Z"
		}
	case "email":
		if at := strings.LastIndexByte(text, '@'); at < 1 || at == len(text)-1 {
			return "is not an e-mail address"
		}
	case "uri":
		if u, err := url.Parse(text); err != nil || u.Scheme == "" {
			return "is not a URL: it must begin with https:// or another scheme"
		}
	}
	return ""
}

func (f *node) checkNumber() string {
	var doc jsontok.Doc
	if doc.Parse([]byte(f.text)) != nil || doc.Root().Kind() != jsontok.Number || strings.TrimSpace(f.text) != f.text {
		return "is not a number: write it as 42 or 1.5"
	}
	v, ok := exact(f.text)
	if !ok {
		return ""
	}
	if f.kind == kindInteger && !v.IsInt() {
		return "must be a whole number"
	}
	for _, b := range [...]struct {
		name string
		bad  func(c int) bool
		says string
	}{
		{"minimum", func(c int) bool { return c < 0 }, "must be at least "},
		{"maximum", func(c int) bool { return c > 0 }, "must be at most "},
		{"exclusiveMinimum", func(c int) bool { return c <= 0 }, "must be greater than "},
		{"exclusiveMaximum", func(c int) bool { return c >= 0 }, "must be less than "},
	} {
		if limit, ok := exact(f.get(b.name).Number()); ok && b.bad(v.Cmp(limit)) {
			return b.says + f.get(b.name).Number()
		}
	}
	if step, ok := exact(f.get("multipleOf").Number()); ok && step.Sign() > 0 && !new(big.Rat).Quo(v, step).IsInt() {
		return "must be a multiple of " + f.get("multipleOf").Number()
	}
	return ""
}

// exact parses a number, unless it is too large to compute with.
func exact(text string) (*big.Rat, bool) {
	if text == "" || len(text) > maxExponent {
		return nil, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if e, err := strconv.Atoi(strings.TrimPrefix(text[i+1:], "+")); err != nil || e > maxExponent || e < -maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

// checkCount checks the number of a value's characters or items against the members of the
// schema that end in suffix.
func (f *node) checkCount(n int, suffix, noun string) string {
	if least, ok := f.get("min" + suffix).Int(); ok && int64(n) < least {
		return fmt.Sprintf("must have at least %s, but has %d", units.Plural(int(least), noun), n)
	}
	if most, ok := f.get("max" + suffix).Int(); ok && int64(n) > most {
		return fmt.Sprintf("must have at most %s, but has %d", units.Plural(int(most), noun), n)
	}
	return ""
}

// checkAll checks a node and all nodes below it, and returns the first one that is wrong.
func (f *node) checkAll() *node {
	var first *node
	if f.problem = f.check(); f.problem != "" {
		first = f
	}
	if f.open {
		for _, b := range f.children {
			if wrong := b.checkAll(); first == nil {
				first = wrong
			}
		}
	}
	return first
}

// write appends the JSON of a value.
func (f *node) write(b *bytes.Buffer) {
	switch f.kind {
	case kindGroup:
		f.writeGroup(b)
	case kindList:
		b.WriteByte('[')
		for i, item := range f.children {
			if i > 0 {
				b.WriteByte(',')
			}
			if !item.present() {
				b.WriteString("null")
				continue
			}
			item.write(b)
		}
		b.WriteByte(']')
	case kindChoice:
		b.Write(f.choices[f.pick].value)
	case kindFixed:
		b.Write(f.choices[0].value)
	case kindText:
		quote(b, f.text)
	case kindNumber, kindInteger, kindJSON:
		if json.Valid([]byte(f.text)) {
			b.WriteString(f.text)
			return
		}
		quote(b, f.text) // shown, but not sent
	}
}

func (f *node) writeGroup(b *bytes.Buffer) {
	b.WriteByte('{')
	comma := ""
	member := func(name string) {
		b.WriteString(comma)
		quote(b, name)
		b.WriteByte(':')
		comma = ","
	}
	for _, m := range f.children {
		if m.present() {
			member(m.name)
			m.write(b)
		}
	}
	for _, m := range f.rest {
		member(m.name)
		b.Write(m.value)
	}
	b.WriteByte('}')
}

func quote(b *bytes.Buffer, text string) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string cannot fail
	b.Truncate(b.Len() - 1)
}

// secrets appends the secret values in the node and below it.
func (f *node) secrets(all []string) []string {
	if f.secret && f.text != "" {
		all = append(all, f.text)
	}
	if f.open {
		for _, b := range f.children {
			all = b.secrets(all)
		}
	}
	return all
}

// limits describes the constraints of a value.
func (f *node) limits() []string {
	var all []string
	say := func(name, before, after string) {
		if n := f.get(name); n.Kind() == jsontok.Number {
			all = append(all, before+n.Number()+after)
		}
	}
	say("minimum", "from ", "")
	say("exclusiveMinimum", "greater than ", "")
	say("maximum", "to ", "")
	say("exclusiveMaximum", "less than ", "")
	say("multipleOf", "in steps of ", "")
	say("minLength", "at least ", " characters")
	say("maxLength", "at most ", " characters")
	say("minItems", "at least ", " items")
	say("maxItems", "at most ", " items")
	for _, name := range [...]string{"format", "pattern"} {
		if text := line(f.get(name).Text()); text != "" && text != "password" {
			all = append(all, name+" "+text)
		}
	}
	return all
}
