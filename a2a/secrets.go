package a2a

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"parley/a2a/plaintext"
)

// Secrets are what a user marked as secret during a run: answers that must not be readable
// again. All clients with the same Secrets mask them wherever they come back, in any spelling.
// The zero value knows none. It is safe for use by several goroutines.
type Secrets struct {
	mu    sync.Mutex
	known atomic.Pointer[knownSecrets]

	values  []string                     // credentials
	recent  []string                     // those of other clients, the oldest first
	members []string                     // as in [Options.SecretMembers]
	found   atomic.Pointer[secretFinder] // of the values and members; nil until it is needed
	drawn   atomic.Pointer[DrawnSecrets]
	streams map[streamKey]echo // ended inside a possible secret

	numbers   map[string]int // of stand-ins, by the secret
	originals map[int]string // the other way round
	last      int            // the newest number

	keyOnce sync.Once
	key     [sha256.Size]byte // of the hashes in redactions; random, and never saved
}

// knownSecrets are the secrets of [Secrets] at one moment; immutable.
type knownSecrets struct {
	words    []answerWord      // longest first
	messages map[string]bool   // ids of messages whose parts are all secret
	window   int               // how much of the preceding text may belong to a word that ends in a chunk
	spelled  *plaintext.Finder // of the longer ones
}

// An answerWord is one way to write a secret answer.
type answerWord struct {
	text []byte
	// whole is set for a short one: it counts only without an adjacent letter or digit. An even
	// shorter one counts only as the whole text.
	whole, entire bool
}

const (
	// shortestWord is the length in characters from which a secret is searched for inside a
	// text, and longWord the length in bytes from which it is searched for inside words.
	shortestWord, longWord = 4, shortestSecret
	// maxWindow limits how much text is searched again with each chunk, and maxLines how many
	// lines of one answer are secrets by themselves.
	maxWindow, maxLines = 4 << 10, 64
)

// Confide makes a message a secret: all its content and its metadata. Values of metadata are
// searched for elsewhere only if they are long, because they are often ordinary words.
func (s *Secrets) Confide(m *Message) {
	var values []string
	s.know(leaves(m.Metadata)...)
	for i := range m.Parts {
		p := &m.Parts[i]
		s.know(leaves(p.Metadata)...)
		switch p.Kind {
		case PartText:
			values = append(values, p.Text)
		case PartURL:
			values = append(values, p.URL)
		case PartData:
			values = append(values, leaves(p.Data)...)
		case PartBytes:
			if content, err := p.Bytes(); err == nil && len(content) <= 64<<10 && utf8.Valid(content) {
				values = append(values, string(content))
			}
		}
	}
	s.add(values, m.ID)
}

// Add makes texts secrets.
func (s *Secrets) Add(texts ...string) { s.add(texts, "") }

func (s *Secrets) add(texts []string, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := cmp.Or(s.all(), &knownSecrets{})
	now := &knownSecrets{words: slices.Clone(was.words), messages: was.messages, window: was.window}
	for _, text := range texts {
		for _, base := range bases(text) {
			now.learn(base)
		}
	}
	slices.SortFunc(now.words, func(a, b answerWord) int {
		return cmp.Or(len(b.text)-len(a.text), bytes.Compare(a.text, b.text))
	})
	now.words = slices.CompactFunc(now.words, func(a, b answerWord) bool { return bytes.Equal(a.text, b.text) })
	var long []string
	for _, w := range now.words {
		if !w.whole && !w.entire {
			long = append(long, string(w.text))
		}
	}
	now.spelled = plaintext.NewFinder(long, nil, longWord)
	if message != "" {
		now.messages = map[string]bool{message: true}
		for id := range was.messages {
			now.messages[id] = true
		}
	}
	s.known.Store(now)
}

// Mask returns a text without its secrets: secret answers, credentials in every spelling, and
// tokens of known shapes.
func (s *Secrets) Mask(text string) string {
	m := newMasker(nil)
	m.vault = s
	return m.text(text)
}

// Know makes credentials secrets, which are masked as those of a client.
func (s *Secrets) Know(values ...string) { s.know(values...) }

// know adds credentials, which are masked wherever they come back if they are long enough and no words
// of the protocol. It reports whether one is such a word.
func (s *Secrets) know(values ...string) (common bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		switch {
		case len(v) < shortestSecret, slices.Contains(s.values, v):
		case commonplace(v):
			common = true
		default:
			s.values = append(s.values, v)
			s.found.Store(nil)
		}
	}
	return common
}

// maxRecent is how many credentials of other clients are remembered. Clients may sign every request
// anew, and each value that is known is searched for in every body.
const maxRecent = 256

// remember adds credentials of other clients, of which the newest are masked wherever they come
// back.
func (s *Secrets) remember(values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		if len(v) < shortestSecret || slices.Contains(s.values, v) || slices.Contains(s.recent, v) {
			continue
		}
		if len(s.recent) == maxRecent {
			s.recent = slices.Delete(s.recent, 0, 1)
		}
		s.recent = append(s.recent, v)
		s.found.Store(nil)
	}
}

// name makes the values of JSON members secret, see [Options.SecretMembers].
func (s *Secrets) name(members []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range members {
		if !slices.Contains(s.members, name) {
			s.members = append(s.members, name)
			s.found.Store(nil)
		}
	}
}

// finder returns the finder of credentials and secret members, nil if s is nil.
func (s *Secrets) finder() *secretFinder {
	if s == nil {
		return nil
	}
	if f := s.found.Load(); f != nil {
		return f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := newSecretFinder(slices.Concat(s.values, s.recent), memberNames(s.members))
	s.found.Store(f)
	return f
}

// hash returns the hash of the original for a redaction: equal for equal originals, and useless
// to someone who has only the recording, because the key is never saved.
func (s *Secrets) hash(original string) string {
	if s == nil {
		return ""
	}
	s.keyOnce.Do(func() { _, _ = rand.Read(s.key[:]) }) // it never fails
	sum := hmac.New(sha256.New, s.key[:])
	sum.Write([]byte(original))
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// all returns what is known, nil if that is nothing.
func (s *Secrets) all() *knownSecrets {
	if s == nil {
		return nil
	}
	return s.known.Load()
}

// none reports whether there is nothing to search for.
func (k *knownSecrets) none() bool { return k == nil || len(k.words) == 0 && len(k.messages) == 0 }

// learn adds one text in all its spellings.
func (k *knownSecrets) learn(text string) {
	if utf8.RuneCountInString(text) < shortestWord {
		k.words = append(k.words, answerWord{text: []byte(text), entire: true})
		return
	}
	k.window = min(max(k.window, len(text)), maxWindow)
	for _, s := range spellings(text) {
		k.words = append(k.words, answerWord{text: []byte(s), whole: len(s) < longWord})
	}
}

// bases returns the parts of an answer that are secrets by themselves: the whole answer, its
// longer lines, and the text after the name of a scheme of HTTP authentication.
func bases(text string) []string {
	all := []string{strings.TrimSpace(text)}
	if lines := strings.Split(all[0], "\n"); len(lines) > 1 {
		for _, line := range lines[:min(len(lines), maxLines)] {
			if line = strings.TrimSpace(line); len(line) >= longWord {
				all = append(all, line)
			}
		}
	}
	if scheme, token, ok := strings.Cut(all[0], " "); ok && authScheme(scheme) {
		all = append(all, strings.TrimSpace(token))
	}
	return slices.DeleteFunc(all, commonplace)
}

// authScheme reports whether a word is the name of a scheme of HTTP authentication.
func authScheme(word string) bool {
	return slices.Contains([]string{"bearer", "basic", "token"}, strings.ToLower(word))
}

// commonplaces are common answers to a question that asks for no secret, and the protocol's own
// words: masking them everywhere would hide nothing and break much.
var commonplaces = [...]string{
	"yes", "no", "ok", "okay", "sure", "done", "ready", "finished", "continue", "proceed", "go on", "go ahead", "next",
	"approve", "approved", "accept", "accepted", "allow", "allowed", "deny", "denied", "reject", "confirm", "confirmed", "agree",
	"authorized", "authorised", "authenticated", "logged in", "signed in", "i am logged in", "i am signed in", "i have logged in",
	"cancel", "stop", "retry", "again", "try again", "help", "true", "false", "null", "none", "please",
	"submitted", "working", "completed", "failed", "canceled", "cancelled", "input-required", "rejected", "auth-required", "unknown",
	"user", "agent", "message", "task", "text", "file", "data", "role", "kind", "parts", "result", "error", "status", "state",
	"artifact", "artifacts", "jsonrpc", "metadata", "history", "status-update", "artifact-update", "role_user", "role_agent",
}

// commonplace reports whether an answer need not be hidden.
func commonplace(text string) bool {
	text = strings.ToLower(strings.Trim(text, " \t\r\n.,!?\"'"))
	return text == "" || slices.Contains(commonplaces[:], text) || strings.HasPrefix(text, "task_state_")
}

// spellings returns the ways in which a text may be written when it comes back.
func spellings(text string) []string {
	all := []string{text, inJSON(text, true), inJSON(text, false), inJSON(inJSON(text, false), false), inJSON(inJSON(text, true), false),
		url.QueryEscape(text), url.PathEscape(text), inJSON(url.PathEscape(text), true), html.EscapeString(text)}
	if len(text) >= longWord {
		all = append(all, inBase64(text)...)
	}
	slices.Sort(all[1:])
	return slices.Compact(all)
}

// inJSON returns a text as a JSON string without its quotes.
func inJSON(text string, escapeHTML bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(escapeHTML)
	if e.Encode(text) != nil {
		return text
	}
	return string(b.Bytes()[1 : b.Len()-2]) // without quotes and line end
}

// inBase64 returns the base64 of a text at each of the three offsets in which it may begin,
// without the letters that it shares with its neighbours.
func inBase64(text string) []string {
	var all []string
	for before := range 3 {
		end := (before + len(text)) / 3 * 3
		from := (before*8 + 5) / 6 // letters that hold bits of the preceding text
		for _, e := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			whole := append(make([]byte, before), text...)
			all = append(all, e.EncodeToString(whole[:end])[from:], e.EncodeToString(whole)[from:]) // the second where nothing follows
		}
	}
	return all
}

// find yields the positions of words in a text. Short ones count if stands says so. The borders
// of joined texts, which may be nil, also end words.
func (k *knownSecrets) find(text []byte, short bool, borders []int, yield func(from, to int)) {
	for i := range k.words {
		w := &k.words[i]
		switch {
		case w.entire:
			if short && bytes.Equal(bytes.TrimSpace(text), w.text) {
				from := bytes.Index(text, w.text)
				yield(from, from+len(w.text))
			}
		case w.whole && !short:
		default:
			for at := 0; ; {
				i := bytes.Index(text[at:], w.text)
				if i < 0 {
					break
				}
				from, to := at+i, at+i+len(w.text)
				at = from + 1
				if !w.whole || isBoundary(text, from, borders) && isBoundary(text, to, borders) {
					yield(from, to)
					at = to
				}
			}
		}
	}
	k.spelled.Find(text, yield)
}

// isBoundary reports whether a word may begin or end at an offset of a text.
func isBoundary(text []byte, at int, borders []int) bool {
	if at == 0 || at == len(text) || slices.Contains(borders, at) {
		return true
	}
	before, _ := utf8.DecodeLastRune(text[:at])
	after, _ := utf8.DecodeRune(text[at:])
	return !inWord(before) || !inWord(after)
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// plain returns the positions of words in a text that is not JSON.
func (k *knownSecrets) plain(text []byte, short bool, name string) []span {
	if k.none() {
		return nil
	}
	var spans []span
	k.find(text, short, nil, func(from, to int) { spans = append(spans, span{off: from, end: to, name: name, private: true}) })
	return spans
}

// startLength returns how many bytes at the end of a text may be the beginning of a word that
// continues in the next chunk. One or two characters prove nothing and are ignored.
func (k *knownSecrets) startLength(text []byte, borders []int) int {
	longest := 0
	for i := range k.words {
		w := &k.words[i]
		least := 3
		if len(w.text) < 6 {
			least = 2
		}
		for n := min(len(w.text)-1, len(text)); n >= least && n > longest && !w.entire; n-- {
			if bytes.HasSuffix(text, w.text[:n]) && (!w.whole || isBoundary(text, len(text)-n, borders)) {
				longest = n
			}
		}
	}
	return longest
}
