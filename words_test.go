package main

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	retiredList = "docs/retired-words.txt"
	glossary    = "docs/glossary.md" // names the words that came before ours
)

// A retiredWord is a line of docs/retired-words.txt.
type retiredWord struct {
	words   []string // in lower case; several for a phrase
	instead string
	except  []string // files that may use it, with slashes
}

// A wordUse is one word of a file, in lower case.
type wordUse struct {
	text string
	line int
	// joined reports whether only space, a hyphen or an underscore stands between this
	// word and the one before it, so that both can belong to one phrase.
	joined bool
}

func TestRetiredWordsStayOut(t *testing.T) {
	retired := readRetiredWords(t)
	used := map[string]bool{} // by word and file: the exceptions that are needed
	for _, file := range textFiles(t) {
		words, err := wordsOf(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range retired {
			for _, line := range findPhrase(words, r.words) {
				phrase := strings.Join(r.words, " ")
				if slices.Contains(r.except, file) {
					used[phrase+" "+file] = true
					continue
				}
				t.Errorf("%s:%d uses %q, which is retired: write %s", file, line, phrase, r.instead)
			}
		}
	}
	for _, r := range retired {
		phrase := strings.Join(r.words, " ")
		for _, file := range r.except {
			if !used[phrase+" "+file] {
				t.Errorf("%s: got exemption of %s from %q, want only files that use the word", retiredList, file, phrase)
			}
		}
	}
}

func TestFindPhrase(t *testing.T) {
	for _, c := range []struct {
		text, phrase string
		want         []int
	}{
		{"a kettle is there", "kettle", []int{1}},
		{"one\ntwo Kettles", "kettle", []int{2}},
		{"BuyKettle, buy_kettle and kettleBuyer", "kettle", []int{1, 1, 1}},
		{"HTTPKettle", "kettle", []int{1}},
		{"kettledrum", "kettle", nil},
		{"teaKettle, tea\n\tkettle, tea-kettle", "tea kettle", []int{1, 1, 2}},
		{"a tea. Kettle it", "tea kettle", nil},
		{"tea tea kettle", "tea kettle", []int{1}},
	} {
		if got := findPhrase(splitWords(c.text, 1), strings.Fields(c.phrase)); !slices.Equal(got, c.want) {
			t.Errorf("findPhrase(%q, %q): got lines %d, want %d", c.text, c.phrase, got, c.want)
		}
	}
}

func readRetiredWords(t *testing.T) []retiredWord {
	t.Helper()
	text, err := os.ReadFile(retiredList)
	if err != nil {
		t.Fatal(err)
	}
	var all []retiredWord
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) < 2 || len(fields) > 3 {
			t.Fatalf("%s: %q: got %d fields between tabs, want 2 or 3", retiredList, line, len(fields))
		}
		r := retiredWord{words: strings.Fields(strings.ToLower(fields[0])), instead: fields[1]}
		if len(fields) == 3 {
			r.except = strings.Fields(fields[2])
		}
		all = append(all, r)
	}
	return all
}

// textFiles returns the Go files and the documents of the repository, with slashes. The
// change log tells what things were called.
func textFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, slashed := d.Name(), filepath.ToSlash(path)
		if d.IsDir() {
			if name == "node_modules" || name == "bin" || name == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		if ext := filepath.Ext(name); (ext == ".go" || ext == ".md") && slashed != glossary && slashed != "CHANGELOG.md" {
			files = append(files, slashed)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// wordsOf returns the words of a file's path and text. Of a Go file these are the words of
// its identifiers, comments and strings.
func wordsOf(file string) ([]wordUse, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	words := splitWords(file, 1)
	if filepath.Ext(file) != ".go" {
		return append(words, splitWords(string(text), 1)...), nil
	}
	positions := token.NewFileSet().AddFile(file, -1, len(text))
	var s scanner.Scanner
	s.Init(positions, text, nil, scanner.ScanComments)
	comment := 0 // the line of the token before this one, if that is a comment
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return words, nil
		}
		if tok != token.IDENT && tok != token.STRING && tok != token.COMMENT {
			comment = 0
			continue
		}
		line := positions.Line(pos)
		found := splitWords(literal, line)
		if len(found) > 0 {
			// A phrase goes on in the next line of a comment.
			found[0].joined = tok == token.COMMENT && line == comment+1
		}
		words = append(words, found...)
		comment = 0
		if tok == token.COMMENT {
			comment = line
		}
	}
}

// splitWords returns the words of a text whose first line has this number. A word is a row
// of letters, divided before a capital as in fooBar and HTTPServer.
func splitWords(text string, line int) (words []wordUse) {
	start, end := -1, 0 // of the word under way, and where the one before it ended
	for i := range len(text) + 1 {
		inside := i < len(text) && isLetter(text[i])
		if start >= 0 && (!inside || beginsWord(text, i)) {
			joined := strings.Trim(text[end:start], " \t\r\n_-") == "" && len(words) > 0
			line += strings.Count(text[end:start], "\n")
			words = append(words, wordUse{strings.ToLower(text[start:i]), line, joined})
			start, end = -1, i
		}
		if start < 0 && inside {
			start = i
		}
	}
	return words
}

// beginsWord reports whether a letter behind another one begins a word: the capitals of
// fooBar and of Server in HTTPServer do.
func beginsWord(text string, i int) bool {
	if !isUpper(text[i]) {
		return false
	}
	return !isUpper(text[i-1]) || i+1 < len(text) && isLetter(text[i+1]) && !isUpper(text[i+1])
}

func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

func isLetter(b byte) bool { return isUpper(b) || 'a' <= b && b <= 'z' }

// findPhrase returns the lines on which a phrase begins. Its last word may be a plural.
func findPhrase(words []wordUse, phrase []string) (lines []int) {
	last := len(phrase) - 1
	for i := range len(words) - last {
		found := true
		for j, want := range phrase {
			got := words[i+j]
			if got.text != want && (j != last || got.text != want+"s") || j > 0 && !got.joined {
				found = false
				break
			}
		}
		if found {
			lines = append(lines, words[i].line)
		}
	}
	return lines
}
