package catalog

import (
	"bytes"
	"context"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"parley/a2a"
	"parley/internal/crash"
)

// A Hit is a record that contains the searched text.
type Hit struct {
	Record a2a.RecordID // 0 if the line has no number that can be read
	// Excerpt is the text around the hit on one line, as far as it can be read without decoding
	// the record; Match is where the hit is in it.
	Excerpt string
	Match   [2]int
}

// perSession is how many hits of a session are reported: more do not help to choose one.
const perSession = 3

// Search finds a text in the records of sessions, in either case of its letters, and passes on
// the hits of each session that has some as soon as it has read it, the first sessions first as
// far as that costs no time, from one goroutine at a time, until ctx ends. It reads the files as
// they are and decodes nothing, so that it is nearly as fast as reading them.
func Search(ctx context.Context, sessions []Session, text string, put func(session *Session, hits []Hit)) {
	n := newNeedles(text)
	if len(n.forms) == 0 {
		return
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	var one sync.Mutex
	for range min(runtime.GOMAXPROCS(0), max(1, len(sessions))) {
		workers.Go(func() {
			defer crash.Guard()
			s := scanner{needles: n}
			for i := next.Add(1) - 1; i < int64(len(sessions)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if s.scan(ctx, sessions[i].Path); len(s.hits) > 0 {
					one.Lock()
					put(&sessions[i], s.hits)
					one.Unlock()
				}
			}
		})
	}
	workers.Wait()
}

const (
	// blockSize is how much of a file is searched at a time: it stays in the processor's cache.
	blockSize = 512 << 10
	// maxText limits a searched text, in bytes.
	maxText = 1 << 10
	// around is how much is shown before and after a hit, in bytes of the file.
	around = 60
	// headSize is how much of a line has its number, kind and time.
	headSize = 192
)

// A scanner searches files, one after the other.
type scanner struct {
	needles needles
	buf     []byte
	hits    []Hit // in the file
	binary  bool  // the file has bytes in base64
	line    int64 // where the line begins with which buf begins
	hit     int64 // where the line of the newest hit begins, -1 before the first
}

// scan searches one file. What cannot be read has no hits: the list says what is wrong with it.
func (s *scanner) scan(ctx context.Context, path string) {
	s.hits = nil
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	if s.buf == nil {
		s.buf = make([]byte, blockSize+s.needles.longest)
	}
	s.line, s.hit, s.binary = 0, -1, false
	var at int64 // of buf in the file
	kept, done := 0, 0
	for ctx.Err() == nil {
		n, err := io.ReadFull(file, s.buf[kept:])
		text := s.buf[:kept+n]
		done = s.block(file, text, at, done)
		if err != nil || len(s.hits) == perSession {
			return
		}
		kept = min(len(text), s.needles.longest)
		if i := bytes.LastIndexByte(text[:len(text)-kept], '\n'); i >= 0 {
			s.line = at + int64(i) + 1
		}
		at += int64(len(text) - kept)
		done = max(0, done-(len(text)-kept))
		copy(s.buf, text[len(text)-kept:])
	}
}

// block searches text, which is at a place of the file, from the byte from on, and returns where it
// stopped.
func (s *scanner) block(file io.ReaderAt, text []byte, at int64, from int) int {
	s.binary = s.binary || s.needles.binary > 0 && s.needles.base64.index(text, 0) >= 0
	for len(s.hits) < perSession {
		i, n := s.needles.index(text, from, s.binary)
		if i < 0 {
			return from
		}
		line := s.line
		if nl := bytes.LastIndexByte(text[:i], '\n'); nl >= 0 {
			line = at + int64(nl) + 1
		}
		if line != s.hit {
			id, body := lineHead(file, line)
			if end := line + int64(body) - at; int64(i) < end { // in what Parley writes of every record
				from = int(min(end, int64(len(text))))
				continue
			}
			h := Hit{Record: id}
			h.Excerpt, h.Match = excerpt(text, max(int(line-at), i-around), i, i+n)
			s.hits, s.hit = append(s.hits, h), line
		}
		end := bytes.IndexByte(text[i:], '\n')
		if end < 0 {
			return len(text)
		}
		from = i + end
	}
	return from
}

// lineHead returns the number of the record that a line has, and how many bytes come before what
// crossed the wire.
func lineHead(file io.ReaderAt, at int64) (id a2a.RecordID, n int) {
	var buf [headSize]byte
	read, _ := file.ReadAt(buf[:], at)
	head := buf[:read]
	if digits, ok := bytes.CutPrefix(head, []byte(`{"id":`)); ok {
		digits = bytes.TrimLeft(digits, " ") // another program may have written it
		end := 0
		for end < len(digits) && '0' <= digits[end] && digits[end] <= '9' {
			end++
		}
		number, _ := strconv.ParseUint(string(digits[:end]), 10, 63)
		id = a2a.RecordID(number)
	}
	if at == 0 && bytes.HasPrefix(head, []byte(`{"parley":`)) { // what every file begins with
		return 0, max(0, bytes.IndexByte(head, '\n'))
	}
	const mark = `"time":`
	i := bytes.Index(head, []byte(mark))
	if nl := bytes.IndexByte(head, '\n'); i < 0 || nl >= 0 && nl < i {
		return id, 0
	}
	i += len(mark)
	quotes := 0
	for i < len(head) && quotes < 2 {
		if head[i] == '"' {
			quotes++
		}
		i++
	}
	return id, i
}

// excerpt returns text around a hit, without the escapes of JSON.
func excerpt(text []byte, from, hit, end int) (string, [2]int) {
	from = max(from, 0)
	to := min(len(text), end+around)
	if nl := bytes.IndexByte(text[end:to], '\n'); nl >= 0 {
		to = end + nl
	}
	before, match, after := readable(text[from:hit]), readable(text[hit:end]), readable(text[end:to])
	return before + match + after, [2]int{len(before), len(before) + len(match)}
}

// readable removes the escapes of JSON, as far as that is possible without knowing where a
// string begins.
func readable(b []byte) string {
	for len(b) > 0 && !utf8.RuneStart(b[0]) {
		b = b[1:]
	}
	s := strings.NewReplacer(`\\\"`, `"`, `\\n`, " ", `\"`, `"`, `\n`, " ", `\\r`, " ", `\\t`, " ", `\r`, "", `\t`, " ", `\\`, `\`).Replace(strings.ToValidUTF8(string(b), ""))
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// needles are the forms in which a text can stand in a file.
type needles struct {
	forms   []needle
	binary  int    // how many of forms, from the first one, are in base64
	base64  needle // what stands in front of bytes in base64, found by its rarest byte
	longest int
}

// A needle is a form of a text. Its ASCII letters are found in either case: one of its bytes, the
// rarest, is looked for in both cases, and then the rest is compared.
type needle struct {
	text   []byte
	rare   int // index of the rarest byte
	lo, up byte
	exact  bool // there is only one case
}

// newNeedles returns the forms of a text in the lines of a session file: in a string of the file,
// such as a header, and in a string of a JSON body, which is escaped twice; with other letters than
// those of ASCII as they are or as \u escapes. The bytes of other messages are written in base64: of
// a text that is long enough, the characters that do not depend on its neighbours are a form too.
func newNeedles(text string) (n needles) {
	text = strings.TrimSpace(strings.ToValidUTF8(cut(text, maxText), ""))
	if text == "" {
		return n
	}
	seen := map[string]bool{}
	add := func(form string, exact bool) {
		same := form
		if !exact {
			same = strings.Map(lowerASCII, form)
		}
		if form != "" && !seen[same] {
			seen[same] = true
			n.forms = append(n.forms, newNeedle(form, exact))
			n.longest = max(n.longest, len(form))
		}
	}
	for _, form := range inBase64(text) {
		add(form, true)
	}
	n.binary, n.base64 = len(n.forms), newNeedle(`"b64":"`, false)
	for _, t := range []string{text, strings.ToLower(text), strings.ToUpper(text)} {
		once := escape(t, false)
		add(once, false)
		add(escape(once, false), false)
		add(escape(escape(t, true), false), false)
	}
	return n
}

// index returns the first place of any form in text from a byte on, and its length; -1 if there
// is none. Without binary, the text has nothing in base64.
func (n *needles) index(text []byte, from int, binary bool) (at, length int) {
	at = -1
	for i := range n.forms {
		if i < n.binary && !binary {
			continue
		}
		end := len(text)
		if at >= 0 {
			end = min(end, at+len(n.forms[i].text)-1) // only an earlier one counts
		}
		if found := n.forms[i].index(text[:end], from); found >= 0 {
			at, length = found, len(n.forms[i].text)
		}
	}
	return at, length
}

func newNeedle(text string, exact bool) needle {
	n := needle{text: []byte(text), exact: exact || strings.ToLower(text) == strings.ToUpper(text)}
	best := -1
	for i := range len(text) {
		if r := rarity(text[i]); r > best {
			best, n.rare = r, i
		}
	}
	c := text[n.rare]
	n.lo, n.up = lower(c), c
	if n.lo == c && 'a' <= c && c <= 'z' {
		n.up = c - 'a' + 'A'
	}
	return n
}

// index returns the first place of the needle in text from a byte on, -1 if there is none.
func (n *needle) index(text []byte, from int) int {
	if n.exact {
		if i := bytes.Index(text[min(from, len(text)):], n.text); i >= 0 {
			return from + i
		}
		return -1
	}
	at := from + n.rare // where the rare byte may be
	end := len(text) - (len(n.text) - n.rare - 1)
	nextLo, nextUp, known := -1, -1, -1
	for at < end {
		nextLo = next(text[:end], at, n.lo, nextLo)
		if nextUp = nextLo; n.up != n.lo {
			nextUp = next(text[:end], at, n.up, known)
			known = nextUp
		}
		found := min(nextLo, nextUp)
		if found == end {
			return -1
		}
		if start := found - n.rare; equalFold(text[start:start+len(n.text)], n.text) {
			return start
		}
		at = found + 1
	}
	return -1
}

// next returns the next place of a byte from a place on, the end if there is none. known is the
// place that was found before.
func next(text []byte, from int, c byte, known int) int {
	if known >= from {
		return known
	}
	if i := bytes.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

// equalFold compares texts of one length without the case of ASCII letters.
func equalFold(a, b []byte) bool {
	for i := range a {
		if a[i] != b[i] && lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lowerASCII(r rune) rune {
	if r < utf8.RuneSelf {
		return rune(lower(byte(r)))
	}
	return r
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c - 'A' + 'a'
	}
	return c
}

// rarity says how rare a byte is in a session file, roughly.
func rarity(c byte) int {
	const common = `"e:t12\ansri ,-3d0co4678p5f{}l9.bvhgyuzm/xkw[]jq_` // the most frequent first, as counted in recorded sessions
	if i := strings.IndexByte(common, lower(c)); i >= 0 {
		return i
	}
	return len(common)
}
