package signin

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/oauth2"
)

// The methods with which Parley says which client it is (RFC 7591, 2).
const (
	methodNone  = "none"                // the id in the body
	methodBasic = "client_secret_basic" // id and secret in a header
	methodPost  = "client_secret_post"  // both in the body
)

// method returns how the client says who it is. It is never tried out: a refused request would be sent again,
// and a server ends a sign-in whose code or refresh token comes twice. Without a secret a client only names itself,
// whether the metadata list that or not, as many servers with public clients do not. With one, the
// header is what RFC 8414 assumes of metadata that do not say it, and RFC 6749 demands of every server. The
// error is a clause.
func (r *Request) method() (string, error) {
	all := r.Server.Methods
	switch {
	case r.Secret == "":
		return methodNone, nil
	case len(all) == 0 || slices.Contains(all, methodBasic):
		return methodBasic, nil
	case slices.Contains(all, methodPost):
		return methodPost, nil
	case slices.Contains(all, methodNone): // its clients have no secrets
		return methodNone, nil
	}
	const most = 5
	return "", fmt.Errorf("%s knows its clients by %s alone, and Parley can only use %s and %s", r.host(), r.mask.text(strings.Join(all[:min(len(all), most)], ", ")), methodBasic, methodPost)
}

// style returns the method as the library has it, and the secret that goes along. [Request.begin] has
// refused a method that Parley does not have.
func (r *Request) style() (style oauth2.AuthStyle, secret string) {
	switch method, _ := r.method(); method {
	case methodBasic:
		return oauth2.AuthStyleInHeader, r.Secret
	case methodPost:
		return oauth2.AuthStyleInParams, r.Secret
	}
	return oauth2.AuthStyleInParams, ""
}

// named says how the client was named, for the sentence about a client that is not accepted.
func (r *Request) named() string {
	switch method, _ := r.method(); method {
	case methodBasic:
		return "with its secret in a header (" + methodBasic + ")"
	case methodPost:
		return "with its secret in the body (" + methodPost + ")"
	}
	return "without a secret"
}

// form returns a request with a form, in which the client says who it is.
func (r *Request) form(ctx context.Context, address string, form url.Values) (*http.Request, error) {
	if _, err := r.method(); err != nil {
		return nil, err
	}
	style, secret := r.style()
	form.Set("client_id", r.ClientID)
	if style == oauth2.AuthStyleInParams && secret != "" {
		form.Set("client_secret", secret)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if style == oauth2.AuthStyleInHeader {
		req.SetBasicAuth(url.QueryEscape(r.ClientID), url.QueryEscape(secret))
	}
	return req, nil
}
