package present

import (
	"strings"

	"parley/a2a"
	"parley/ui/canvas"
)

// userInfo finds the user and the password in addresses: https://me:secret@host.
func userInfo(text string, hide func(from, to int)) {
	for from := 0; ; {
		i := strings.Index(text[from:], "://")
		if i < 0 {
			return
		}
		from += i + len("://")
		authority := text[from:]
		if end := strings.IndexAny(authority, "/?# \"'<>"); end >= 0 {
			authority = authority[:end]
		}
		if at := strings.LastIndexByte(authority, '@'); at > 0 {
			hide(from, from+at)
		}
	}
}

// quiet are names that [a2a.SecretName] knows, but that in a text mostly name something else.
func quiet(name string) bool {
	switch strings.ToLower(name) {
	case "code", "key", "auth", "ticket", "session", "signature", "sid", "sig", "assertion":
		return true
	}
	return false
}

// namedValues finds values whose names say that they are credentials: in a tree of JSON, in JSON,
// in a head, in a query and in prose.
func namedValues(text string, hide func(from, to int)) {
	for i := 0; i < len(text); {
		if !isName(text[i]) {
			i++
			continue
		}
		from := i
		for i < len(text) && isName(text[i]) {
			i++
		}
		name := text[from:i]
		at, quoted, ok := valueAt(text, i, undecorated(text[:from]) == "")
		if !ok || quiet(name) || !a2a.SecretName(name) {
			continue
		}
		end := valueEnd(text, at, quoted, name)
		if end-at >= 3 {
			hide(at, end)
		}
		i = max(i, end)
	}
}

// isName reports whether a byte can be in a name of a value.
func isName(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// valueAt returns where the value of a name begins that ends at i, and whether it is in quotes. A
// tree has spaces between a name and a value in quotes, and so has a table whose rows begin with
// names; all else has a colon or an equals sign.
func valueAt(text string, i int, first bool) (at int, quoted, ok bool) {
	skip := func() {
		for i < len(text) && text[i] == ' ' {
			i++
		}
	}
	if i < len(text) && text[i] == '"' {
		i++
	}
	begin := i
	skip()
	signed := i < len(text) && (text[i] == ':' || text[i] == '=')
	inTable := first && i > begin+1
	if signed {
		i++
		skip()
	}
	if quoted = i < len(text) && text[i] == '"'; quoted {
		i++
	}
	return i, quoted, i < len(text) && (signed || inTable || quoted && i > begin+1)
}

// valueEnd returns where a value ends: at its quote, or in front of a space. What a head says of
// credentials has a scheme in front of it, so it goes on to the next column.
func valueEnd(text string, at int, quoted bool, name string) int {
	rest, low := text[at:], strings.ToLower(name)
	end := -1
	switch {
	case quoted:
		end = strings.IndexByte(rest, '"')
	case strings.Contains(low, "authorization") || strings.Contains(low, "cookie"):
		end = strings.Index(rest, "  ")
	default:
		end = strings.IndexAny(rest, " ,;&\"'<>)}]")
	}
	if end < 0 {
		return at + len(strings.TrimRight(rest, " "))
	}
	return at + end
}

// folders are those in which systems keep the homes of users.
var folders = [...]string{"/home/", "/Users/", `C:\Users\`, `c:\users\`}

// homes finds the paths of homes: the user's, and those of others.
func (f *finder) homes(text string, hide func(from, to int)) {
	if f.home != "" && f.home != "/" {
		for from := 0; ; {
			i := strings.Index(text[from:], f.home)
			if i < 0 {
				break
			}
			from += i
			end := from + len(f.home)
			if beginsPath(text, from) && (end == len(text) || !isName(text[end]) && text[end] != '.') {
				hide(from, end)
			}
			from = end
		}
	}
	for _, folder := range folders {
		for from := 0; ; {
			i := strings.Index(text[from:], folder)
			if i < 0 {
				break
			}
			from += i
			end := from + len(folder)
			for end < len(text) && (isName(text[end]) || text[end] == '.' || text[end] >= 0x80) {
				end++
			}
			if beginsPath(text, from) {
				hide(from, end)
			}
			from = end
		}
	}
}

// beginsPath reports whether what begins at i is not the end of another path, or of an address.
func beginsPath(text string, i int) bool {
	return i == 0 || !isName(text[i-1]) && text[i-1] != '.' && text[i-1] != '~'
}

// shortestRun is the length from which a run of characters may be hidden.
const shortestRun = 20

const (
	shortestHex    = 24 // characters of an id in hexadecimal digits
	shortestOpaque = 40 // characters of anything that only a machine writes
	keptID         = 4  // characters of an id that stay
)

// isRun reports whether a byte can be in an id or in base64.
func isRun(c byte) bool { return isName(c) || c == '+' || c == '/' }

// runs finds long ids, of which the beginning stays, and other text that only a machine writes.
func (f *finder) runs(text string, all *[]canvas.Patch) {
	for i := 0; i < len(text); {
		if !isRun(text[i]) {
			i++
			continue
		}
		from := i
		for i < len(text) && isRun(text[i]) {
			i++
		}
		if run := text[from:i]; len(run) >= shortestOpaque && opaque(run) {
			*all = append(*all, canvas.Patch{From: from, To: i, Text: f.mark})
			continue
		}
		for part := range strings.SplitSeq(text[from:i], "/") {
			for _, id := range ids(part) {
				to := from + id[1]
				if strings.HasPrefix(text[to:], f.ellipsis) { // the row ends within the id
					to += len(f.ellipsis)
				}
				*all = append(*all, canvas.Patch{From: from + id[0], To: to, Text: part[id[0]:id[0]+keptID] + f.ellipsis})
			}
			from += len(part) + 1
		}
	}
}

// opaque reports whether a run has letters of both cases and digits, and no part that is a word.
func opaque(run string) bool {
	upper, lower, digits := 0, 0, 0
	for _, c := range []byte(run) {
		switch {
		case 'A' <= c && c <= 'Z':
			upper++
		case 'a' <= c && c <= 'z':
			lower++
		case '0' <= c && c <= '9':
			digits++
		}
	}
	for part := range strings.SplitSeq(run, "/") {
		if len(part) > 2 && strings.Trim(part, "abcdefghijklmnopqrstuvwxyz-") == "" {
			return false // a path
		}
	}
	return upper > 1 && lower > 1 && digits > 1
}

// ids finds ids in a run without slashes: a UUID anywhere in it, or hexadecimal digits that are all
// of it.
func ids(run string) (found [][2]int) {
	const uuid = 36
	for i := 0; i+cutUUID <= len(run); i++ {
		if end := min(i+uuid, len(run)); isUUID(run[i:end]) && (i == 0 || run[i-1] == '-' || run[i-1] == '_') { // the end may be cut off
			found = append(found, [2]int{i, end})
			i = end - 1
		}
	}
	if found == nil && len(run) >= shortestHex && hexDigits(run) == len(run) {
		found = append(found, [2]int{0, len(run)})
	}
	return found
}

// cutUUID is how much of a UUID is recognized where a row ends.
const cutUUID = 14

// isUUID reports whether a text is a UUID, or the beginning of one.
func isUUID(s string) bool {
	for i := range len(s) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (s[i] == '-') || !dash && hexDigits(s[i:i+1]) == 0 {
			return false
		}
	}
	return true
}

// hexDigits counts hexadecimal digits.
func hexDigits(s string) (n int) {
	for _, c := range []byte(s) {
		if '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' {
			n++
		}
	}
	return n
}
