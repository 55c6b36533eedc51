package signintest

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Parrot refuses a request as an endpoint for tokens does, and repeats all that the client sent in the
// description, in many spellings and between escape sequences.
func Parrot(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write([]byte(`{"error":"invalid_request","error_description":` + quoted(Repeated(r)) + `,"error_uri":` + quoted("https://login.example/?"+r.FormValue("code")) + `}`))
}

// Repeated returns a request in many spellings, with escape sequences between them.
func Repeated(r *http.Request) string {
	body, _ := io.ReadAll(r.Body) // what is missing is not repeated
	form, _ := url.ParseQuery(string(body))
	r.Form = form
	words := []string{string(body), r.Header.Get("Authorization")}
	if user, password, ok := r.BasicAuth(); ok {
		form.Set("user", user)
		form.Set("password", password)
	}
	for _, values := range form {
		for _, v := range values {
			words = append(words, v, url.PathEscape(v), lowerEscapes.ReplaceAllStringFunc(url.QueryEscape(v), strings.ToLower), quoted(v), base64.StdEncoding.EncodeToString([]byte(v)), base64.RawURLEncoding.EncodeToString([]byte("-"+v)))
		}
	}
	return strings.Join(words, " \x1b[2J\x1b]0;x\a ")
}

// lowerEscapes are the escapes of a URL, which some write with lower-case digits.
var lowerEscapes = regexp.MustCompile(`%[0-9A-F]{2}`)

// quoted returns a text as JSON.
func quoted(text string) string {
	b, _ := json.Marshal(text) // a text is always JSON
	return string(b)
}
