package golden

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestCompareAcceptsWhatUpdateWrote(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, got := range map[string]string{
		"plain":      "a row  \nanother",
		"sub/styled": "\x1b[31mred\x1b[m  \nplain",
		"empty":      "",
	} {
		*update = true
		Compare(t, name, got)
		*update = false
		Compare(t, name, got)
	}
}

func TestStyledTextIsStoredReadably(t *testing.T) {
	got := format("\x1b[31mred\x1b[m  \nplain")
	want := "red\nplain\n" + styledHeading + "\n␛[31mred␛[m  \nplain\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCheckNamesTheRowsThatDiffer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.golden")
	if err := write(path, format("one\n\x1b[31mtwo\x1b[m\nthree")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, got, has, hasNot string }{
		{"text", "one\n\x1b[31mTWO\x1b[m\nthree", "   2 - two\n     + TWO\n", "three"},
		{"style", "one\n\x1b[32mtwo\x1b[m\nthree", "- ␛[31mtwo␛[m\n     + ␛[32mtwo␛[m\n", "three"},
		{"missing row", "one\n\x1b[31mtwo\x1b[m", "   3 - three\n     + \n", "one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := check(path, format(tt.got), diff)
			if err == nil {
				t.Fatal("got no difference, want one")
			}
			if s := err.Error(); !strings.Contains(s, tt.has) || strings.Contains(s, tt.hasNot) {
				t.Errorf("got %s, want %q in it and not %q", s, tt.has, tt.hasNot)
			}
		})
	}
}

func TestChangesFollowLinesThatMove(t *testing.T) {
	got := changes("one\ntwo\nthree\nfour\n", "new\none\ntwo\nthree\nfour\n")
	if !strings.Contains(got, "+new\n one\n two\n") || strings.Contains(got, "-") && strings.Contains(got, "four") {
		t.Errorf("got %q, want one added line", got)
	}
	if got := changes("", strings.Repeat("more\n", 100)); strings.Count(got, "+more") >= 100 || !strings.HasSuffix(got, "and more\n") {
		t.Errorf("got %q, want a part of it", got)
	}
}

func TestCheckAcceptsCRLF(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.golden")
	if err := write(path, "a\r\nb\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := check(path, "a\nb\n", diff); err != nil {
		t.Error(err)
	}
}

func TestMissingFileSaysHowToWriteIt(t *testing.T) {
	err := check(filepath.Join(t.TempDir(), "none.golden"), "x\n", diff)
	if err == nil || !strings.Contains(err.Error(), "-update") {
		t.Errorf("got error %v, want one that names -update", err)
	}
}
