package a2atest

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A template is a file of the script, cut at its placeholders.
type template []piece

// A piece is literal bytes, or a placeholder if verb is set.
type piece struct {
	lit  []byte
	verb string
	arg  string
	n    int // of fill
}

// A value is the value of a placeholder.
type value struct {
	s string
	// text is set for words from the client: they are escaped on insertion. Other values are
	// bytes of the script.
	text bool
}

type values map[string]value

// builtin reports whether the engine itself sets the placeholder.
func builtin(name string) bool {
	return perChunk(name) || slices.Contains([]string{"id", "task", "context", "text", "message", "uuid", "now", "origin", "restarts"}, name)
}

// perChunk reports whether the placeholder belongs to stream and repeat steps.
func perChunk(name string) bool {
	return slices.Contains([]string{"chunk", "file", "n", "append", "last"}, name)
}

// compile cuts the bytes of a file at their placeholders.
func compile(src []byte) (template, error) {
	var t template
	for len(src) > 0 {
		before, rest, found := bytes.Cut(src, []byte("{{"))
		if len(before) > 0 {
			t = append(t, piece{lit: before})
		}
		if !found {
			return t, nil
		}
		inside, after, closed := bytes.Cut(rest, []byte("}}"))
		if !closed {
			return nil, fmt.Errorf("placeholder {{%.20s has no end", rest)
		}
		p, err := placeholder(string(inside))
		if err != nil {
			return nil, err
		}
		if p.verb == "end" {
			return t, nil
		}
		t = append(t, p)
		src = after
	}
	return t, nil
}

func placeholder(inside string) (piece, error) {
	verb, arg, hasArg := strings.Cut(strings.TrimSpace(inside), " ")
	arg = strings.TrimSpace(arg)
	switch {
	case verb == "end" && !hasArg:
		return piece{verb: verb}, nil
	case verb == "hex":
		b, err := hex.DecodeString(strings.ReplaceAll(arg, " ", ""))
		if err != nil {
			return piece{}, fmt.Errorf("placeholder {{%s}}: %w", inside, err)
		}
		return piece{lit: b}, nil
	case verb == "fill":
		n, err := strconv.Atoi(arg)
		if err != nil || n < 0 || n > 1<<28 {
			return piece{}, fmt.Errorf("placeholder {{%s}}: want a size in bytes", inside)
		}
		return piece{verb: verb, n: n}, nil
	case verb == "escape" || verb == "sent" || verb == "base64" || verb == "newest":
		return piece{verb: verb, arg: arg}, nil
	case verb == "" || hasArg:
		return piece{}, fmt.Errorf("unknown placeholder {{%s}}", inside)
	default:
		return piece{verb: "value", arg: verb}, nil
	}
}

// expand appends the template to dst, filled in with the values of r and args. In plain text,
// as opposed to JSON, foreign words are not escaped.
func (r *run) expand(dst []byte, t template, args values, plain bool) []byte {
	for _, p := range t {
		switch p.verb {
		case "":
			dst = append(dst, p.lit...)
		case "fill":
			dst = fill(dst, p.n)
		case "escape":
			dst = appendEscaped(dst, string(r.plainText(p.arg)))
		case "sent":
			sent := r.plainText(p.arg)
			dst = appendEscaped(dst, string(sent[:min(r.task.progress(p.arg), len(sent))]))
		case "base64":
			dst = base64.StdEncoding.AppendEncode(dst, r.expand(nil, r.agent.script.files[p.arg], nil, true))
		case "newest":
			dst = append(dst, newest(r.appendValue(nil, p.arg, args, plain), r.call.history)...)
		default:
			dst = r.appendValue(dst, p.arg, args, plain)
		}
	}
	return dst
}

// plainText returns a file as text outside of a JSON document.
func (r *run) plainText(name string) []byte {
	return r.expand(nil, r.agent.script.files[name], nil, true)
}

func (r *run) appendValue(dst []byte, name string, args values, plain bool) []byte {
	v, ok := args[name]
	if !ok {
		v, ok = r.known(name)
	}
	if !ok {
		v, ok = r.task.value(name)
	}
	switch {
	case !ok:
		return append(dst, bytes.TrimRight(r.expand(nil, r.agent.script.files[name], args, plain), "\n")...)
	case v.text && !plain:
		return appendEscaped(dst, v.s)
	default:
		return append(dst, v.s...)
	}
}

// newest returns the last elements of a list, at most the number in most, all if it is nil.
func newest(list []byte, most *int) []byte {
	if most == nil || *most < 0 {
		return list
	}
	var all []json.RawMessage
	if json.Unmarshal(append(append([]byte("["), list...), ']'), &all) != nil {
		return list
	}
	all = all[max(0, len(all)-*most):]
	out := make([][]byte, len(all))
	for i, e := range all {
		out[i] = e
	}
	return bytes.Join(out, []byte(","))
}

// appendEscaped appends s as the inside of a JSON string.
func appendEscaped(dst []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // a string always encodes
		return dst
	}
	quoted := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return append(dst, quoted[1:len(quoted)-1]...)
}

// fill appends n bytes of text, broken into lines by \n escapes.
func fill(dst []byte, n int) []byte {
	const line = `All tides and no moon make the sea a dull place to be, said the pilot.\n`
	end := len(dst) + n
	for len(dst)+len(line) <= end {
		dst = append(dst, line...)
	}
	return append(dst, strings.Repeat(".", end-len(dst))...)
}
