package script

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

const whole = `# A trip.
Set theme dark
Set width 100
Output trip.gif

Open demo "Travel Desk"  # the first agent
Say "Plan a trip to Lisbon"
Wait input-required within 20s
Wait /passport|visa/i
Expect submitted > working > input-required
Answer 'my "own" dates'
Wait
Expect not /error/
Expect "Lisbon"
Expect task /status/state = "TASK_STATE_COMPLETED"
Expect task /artifacts/0/name
Expect record /result/a~1b = /x\/y/
Expect no finding above warning
Expect no finding
Expect p95 below 2s
Wait error "no"
Show wire
Caption ""
Pause 1m30s
Speed 2
Screenshot "my file.png"
Key ctrl+p 2
Type "lisbon\n"
# the end
`

func TestAScriptIsWrittenAsItWasRead(t *testing.T) {
	s, err := Parse("trip.parley", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(s.Format()); got != whole {
		t.Errorf("got\n%s\nwant\n%s", got, whole)
	}
}

func TestStepsHaveTheirValues(t *testing.T) {
	s, err := Parse("trip.parley", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	open := s.Steps[3]
	if open.Line != 6 || open.Column != 1 || open.Source() != Demo || open.Agent != "Travel Desk" || open.Comment != "# the first agent" {
		t.Errorf("got %+v", open)
	}
	if w := s.Steps[5]; w.Duration != 20*time.Second || !slices.Equal(w.Condition.States, []a2a.State{a2a.StateInputRequired}) {
		t.Errorf("got %+v", w)
	}
	if p := s.Steps[6].Condition.Pattern; !p.Match("a VISA") || p.Match("nothing") {
		t.Errorf("got %+v", p)
	}
	if c := s.Steps[14].Condition; !slices.Equal(c.Pointer, []string{"result", "a/b"}) || !c.Record || !c.Pattern.Match("x/y") {
		t.Errorf("got %+v", c)
	}
	if got := s.Value("width"); got != "100" {
		t.Errorf("got width %q", got)
	}
	if got := s.Outputs(); !slices.Equal(got, []string{"trip.gif"}) {
		t.Errorf("got outputs %q", got)
	}
}

func TestOtherSpellings(t *testing.T) {
	for text, want := range map[string]string{
		"sleep 2":                        "Pause 2s",
		"Sleep 500ms":                    "Pause 500ms",
		"SAY `a b`":                      `Say "a b"`,
		`say "tab\tand\\"`:               `Say "tab\tand\\"`,
		"Set TypingSpeed 50ms":           "Set typing 50ms",
		"Wait  TASK_STATE_WORKING>done":  "",
		"Wait working>completed":         "Wait working > completed",
		"Wait within 5":                  "Wait within 5s",
		"Open Demo":                      "Open demo",
		"Open http://localhost:9999/#x":  "Open http://localhost:9999/#x",
		"Expect task /a = {\"b\": [1]} ": `Expect task /a = {"b": [1]}`,
		"Expect no findings":             "Expect no finding",
		"Speed 2x":                       "Speed 2",
		"\ufeffSay \"x\"\r\n":            `Say "x"`,
		"Say 'it\u00a0is'":               `Say "it\u00a0is"`,
	} {
		s, err := Parse("x", []byte(text))
		if want == "" {
			if err == nil {
				t.Errorf("%q: got no error", text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := strings.TrimSpace(string(s.Format())); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestErrorsNameThePlaceAndWhatIsAllowed(t *testing.T) {
	for text, want := range map[string]string{
		"Sayy \"x\"":                     `x:1:1: There is no verb "Sayy". Did you mean Say?`,
		"\n  Frobnicate 3":               `x:2:3: There is no verb "Frobnicate": a step begins with Open, Say,`,
		"Enter":                          "x:1:1: Scripts have no Enter: write Key enter instead.",
		"Ctrl+C":                         "x:1:1: Scripts have no verb Ctrl+C: write Key ctrl+c instead.",
		"Say hello there":                `x:1:5: The text stands in quotes: Say "hello there".`,
		"":                               "x:1:1: The script has no step",
		"# only\n\n":                     "x:1:1: The script has no step",
		"Say":                            `x:1:4: Say takes a text in quotes, such as Say "hello".`,
		"Say \"\"":                       "The text is empty",
		"Say \"ünï":                      "x:1:5: The quote is not closed: \" is missing",
		"Say \"a\"b":                     "x:1:8: A space is missing after the closing quote.",
		"Say \"a\" \"b\"":                `x:1:9: Say takes nothing more: remove "\"b\"".`,
		"Say \"\\x\"":                    `x:1:6: After \ stands`,
		"Wait /a(/":                      "x:1:6: The regular expression is wrong: missing closing ): `a(`.",
		"Wait /a":                        "x:1:6: The regular expression is not closed",
		"Wait /tmp/file":                 "x:1:11: After a regular expression stands",
		"Wait 5s":                        "x:1:6: Wait waits for something: to wait for a time, write Pause 5s.",
		"Wait complete":                  `x:1:6: There is no state "complete". Did you mean completed?`,
		"Wait submitted >":               "x:1:17: Here stands a state: submitted,",
		"Wait completed 5s":              "x:1:16: After what it waits for, Wait takes within",
		"Wait completed within soon":     `x:1:23: "soon" is no duration`,
		"Expect":                         "x:1:7: Expect takes /a regular expression/",
		"Expect nothing":                 `x:1:8: Expect does not take "nothing"`,
		"Expect completed within 2s":     `x:1:18: Expect takes nothing more: remove "within 2s".`,
		"Expect task status":             "x:1:13: After task stands a JSON pointer such as /status/state.",
		"Expect task /a = done":          "x:1:18: The value is no JSON",
		"Expect task /a is 1":            "x:1:16: After the JSON pointer stands =",
		"Expect no finding above error":  `x:1:25: After above stands info or warning; "error" is none of them.`,
		"Expect p0 below 2s":             "There is no p0",
		"Expect p95 above 2s":            "x:1:12: After p95 stands below and a duration, such as below 2s.",
		"Show desk":                      `x:1:6: Show takes conversation, wire, card or findings; "desk" is none of them.`,
		"Pause -2s":                      `"-2s" is no duration`,
		"Pause 9999999h":                 `is no duration`,
		"Speed 0":                        "x:1:7: Speed takes a number",
		"Screenshot x.jpg":               "x:1:12: Screenshot takes a file whose name ends in .png or .ansi.",
		"Screenshot .png":                "Screenshot takes a file",
		"Set Witdh 100":                  `x:1:5: There is no setting "Witdh". Did you mean width?`,
		"Set width 9":                    "x:1:11: Set width takes columns from 20 to 500.",
		"Say \"x\"\nSet width 100":       "x:2:1: Set width stands before the first step, which is in line 1.",
		"Say \"x\"\nOutput a.gif":        "x:2:1: Output stands before the first step",
		"Open":                           "x:1:5: Open takes an agent",
		"Open http://x y":                `x:1:15: Open takes nothing more: remove "y".`,
		"Key ctrl+p many":                "x:1:12: After the key stands how often",
		"Say \"a\x00b\"":                 "x:1:7: Here stands a byte that is no text",
		"Say \"a\"\n\xff\xfe":            "x:2:1: Here stands a byte that is no text",
		"\xff\xfeS\x00":                  "x:1:1: The script is in UTF-16: save it as UTF-8.",
		"#" + strings.Repeat("x", 70000): "x:1:1: A line of a script has at most 64 kB.",
		strings.Repeat("#\n", MaxSize):   "x:1:1: A script has at most 1 MB.",
		strings.Repeat("Wait\n", 10001):  "x:10001:1: A script has at most 10000 steps.",
		"Expect task " + strings.Repeat("/a", 200): "no JSON pointer",
	} {
		_, err := Parse("x", []byte(text))
		if e, ok := errors.AsType[*Error](err); !ok || !strings.Contains(e.Error(), want) {
			t.Errorf("%.40q: got %v, want %q", text, err, want)
		}
	}
}

func TestAnErrorIsOneSentence(t *testing.T) {
	_, err := Parse("x", []byte("Say \"\x1b[31m"))
	if err == nil || strings.ContainsRune(err.Error(), '\x1b') {
		t.Errorf("got %v", err)
	}
}

// FuzzParse reads any bytes, and what was read is read again as the same.
func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("Say \"a\\u0007b\"\r\nWait /x/is within 3\nKey ' '")
	f.Add("Expect task /a~0b = [1.0, {\"c\": null}]\nOpen 'a b.jsonl' \"c\"")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("x", []byte(text))
		if err != nil {
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Line < 1 || e.Column < 1 || !strings.HasSuffix(e.Sentence, ".") && !strings.HasSuffix(e.Sentence, "?") {
				t.Fatalf("%q: got %v", text, err)
			}
			return
		}
		once := s.Format()
		again, err := Parse("x", once)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, once, err)
		}
		if twice := again.Format(); string(twice) != string(once) {
			t.Fatalf("%q became %q, then %q", text, once, twice)
		}
		if len(again.Steps) != len(s.Steps) {
			t.Fatalf("%q has %d steps, then %d", text, len(s.Steps), len(again.Steps))
		}
		for i := range s.Steps {
			if a, b := &s.Steps[i], &again.Steps[i]; a.Text != b.Text || a.Ref != b.Ref || a.Agent != b.Agent || a.Condition.String() != b.Condition.String() {
				t.Fatalf("step %d of %q is %v, then %v", i, text, a, b)
			}
		}
	})
}

// The reference names every verb, view and setting, and its examples can be read.
func TestTheReferenceIsComplete(t *testing.T) {
	raw, err := os.ReadFile("../../docs/scripts.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(raw)
	words := Views()
	for _, v := range verbs {
		words = append(words, string(v))
	}
	for _, s := range settings() {
		words = append(words, s.name)
	}
	for _, word := range words {
		if !regexp.MustCompile("`[^`\n]*\\b" + word + "\\b").MatchString(doc) {
			t.Errorf("docs/scripts.md does not name %s", word)
		}
	}
	examples := 0
	for i, block := range strings.Split(doc, "```parley\n")[1:] {
		text, _, _ := strings.Cut(block, "```")
		if _, err := Parse("docs/scripts.md", []byte(text)); err != nil {
			t.Errorf("example %d: %v", i+1, err)
		}
		examples++
	}
	if examples == 0 {
		t.Error("docs/scripts.md has no example")
	}
}
