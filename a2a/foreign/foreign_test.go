package foreign

import (
	"strings"
	"testing"
)

func TestWordsOfAnAnswer(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"error":"no key"}`:                             "no key",
		`{"error":{"message":"no plan","type":"x"}}`:     "no plan",
		`{"message":"gone","status":410}`:                "gone",
		`{"detail":"Log in first"}`:                      "Log in first",
		`{"error":{"code":3},"detail":[{"msg":"a"}]}`:    `{"error":{"code":3},"detail":[{"msg":"a"}]}`,
		`{"message":{"parts":[]}}`:                       `{"message":{"parts":[]}}`,
		`{"error":" ","message":"second"}`:               "second",
		`INVALID_USER_KEY`:                               "INVALID_USER_KEY",
		`{"error":"` + strings.Repeat("x", Window) + `"`: `{"error":"` + strings.Repeat("x", Window-len(`{"error":"`)),
		``: "",
	} {
		if got := Words([]byte(body)); got != want {
			t.Errorf("%.60s: got %.60q, want %.60q", body, got, want)
		}
	}
}

func TestTitleOfAPage(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"<html><TITLE lang=en> A &amp; B </title>": "A & B",
		"<html><title>open":                        "",
		"<html><title":                             "",
		"<html>İ<title>x</title>":                  "",
		"":                                         "",
	} {
		if got := Title([]byte(page)); got != want {
			t.Errorf("%q: got %q, want %q", page, got, want)
		}
	}
	if !IsHTML([]byte("<!DOCTYPE html>")) || IsHTML([]byte("<x/>")) || IsHTML(nil) {
		t.Error("got a wrong answer whether a body is a page")
	}
}
