package a2a

import "testing"

func TestWhatASentenceQuotesIsVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                           "",
		"plain 한국 👩‍🚀":               "plain 한국 👩‍🚀",
		"ROLE_\x1b[5mAGENT":          "ROLE_⟨U+001B⟩[5mAGENT",
		"a\u009bb\x00\x7f":           "a⟨U+009B⟩b⟨U+0000⟩⟨U+007F⟩",
		"two\nlines\tand a tab":      "two⟨U+000A⟩lines⟨U+0009⟩and a tab",
		"bidi \u202e is not control": "bidi \u202e is not control",
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
	u := Decode(nil, Input{Body: []byte(`{"jsonrpc":"2.0","id":"1","result":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_\u001b[31mCOMPLETED"}}}`), Status: 200})
	for _, f := range u.Findings {
		if f.Rule == "STAT-001" && f.Message == "No A2A version has the state “TASK_STATE_⟨U+001B⟩[31mCOMPLETED”" {
			return
		}
	}
	t.Errorf("got findings %v, want STAT-001 with U+001B made visible", u.Findings)
}
