package visible

import "testing"

func TestTextMakesWhatControlsVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n": "plain\ttext\n", "näher": "näher", "a\r\nb\rc\u2028d": "a\nb\nc\nd",
		"\x1b[31mred\x00": "␛[31mred␀", "a\u202eb": "a⟨U+202E⟩b", "\xff": "\ufffd", "👩‍🚀": "👩‍🚀",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := Line("a\nb\tc"), "a b c"; got != want {
		t.Errorf("Line gave %q, want %q", got, want)
	}
}

func TestJSONEscapesWhatControls(t *testing.T) {
	for in, want := range map[string]string{`{"a":"b"}`: `{"a":"b"}`, "{\"a\u202e\":\"\u007f\U000e0041é\"}": `{"a\u202e":"\u007f\udb40\udc41é"}`} {
		if got := string(JSON([]byte(in))); got != want {
			t.Errorf("JSON(%q) = %q, want %q", in, got, want)
		}
	}
}
