package coding

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/iotest"
)

const text = `{"jsonrpc":"2.0","id":1,"result":{}}`

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestNamesAreReadInTheOrderOfTheHeader(t *testing.T) {
	t.Parallel()
	h := http.Header{"Content-Encoding": {"GZIP , identity,", " br"}}
	if got := Names(h); !slices.Equal(got, []string{"gzip", "br"}) {
		t.Errorf("got %q, want gzip and br", got)
	}
}

// A body that came completely, and one that comes byte for byte, are decoded and kept alike.
func TestABodyKeepsItsBytesAsTheyCame(t *testing.T) {
	t.Parallel()
	twice := zipped(t, string(zipped(t, text)))
	h := http.Header{"Content-Encoding": {"x-gzip, gzip"}}
	for name, c := range map[string]*Body{
		"whole":         Whole(h, twice, nil),
		"byte for byte": NewBody(iotest.OneByteReader(bytes.NewReader(twice)), Names(h), nil),
	} {
		got, err := io.ReadAll(c)
		if err != nil || string(got) != text {
			t.Errorf("%s: got %q, %v, want the text", name, got, err)
		}
		if !bytes.Equal(c.Kept(), twice) || c.Size() != int64(len(twice)) || c.Plain() || c.Label() != "x-gzip, gzip" {
			t.Errorf("%s: got %d of %d bytes, plain %v, label %q; want all as they came", name, len(c.Kept()), c.Size(), c.Plain(), c.Label())
		}
	}
	if Whole(http.Header{}, twice, nil) != nil || Whole(h, nil, nil) != nil {
		t.Error("got a coded body without a coding or without bytes, want none")
	}
}

func TestABrokenBodySaysWhatBroke(t *testing.T) {
	t.Parallel()
	whole := zipped(t, text)
	for name, c := range map[string]struct {
		label string
		body  []byte
		want  Error
	}{
		"torn":     {"gzip", whole[:len(whole)-4], Error{Coding: "gzip", After: int64(len(text)), Torn: true}},
		"no gzip":  {"gzip", []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, Error{Coding: "gzip"}},
		"unknown":  {"x-snappy", whole, Error{Coding: "x-snappy"}},
		"too many": {"gzip, gzip, gzip, gzip, gzip", whole, Error{Coding: "gzip, gzip, gzip, gzip, gzip"}},
	} {
		_, err := io.ReadAll(Whole(http.Header{"Content-Encoding": {c.label}}, c.body, nil))
		var got *Error
		if !errors.As(err, &got) || got.Coding != c.want.Coding || got.After != c.want.After || got.Torn != c.want.Torn {
			t.Errorf("%s: got %+v, want %+v", name, err, c.want)
		}
		if unread := name == "unknown" || name == "too many"; unread != (got != nil && got.Cause == nil) {
			t.Errorf("%s: got %+v, want a cause only where somebody reads the coding", name, err)
		}
	}
}

// An error of the connection is not blamed on the coding.
func TestABrokenConnectionIsNoBrokenCoding(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection reset")
	_, err := io.ReadAll(NewBody(io.MultiReader(bytes.NewReader(zipped(t, text)[:20]), iotest.ErrReader(broken)), []string{"gzip"}, nil))
	if err != broken { //nolint:errorlint // it comes as it is
		t.Errorf("got %v, want the error of the connection", err)
	}
}
