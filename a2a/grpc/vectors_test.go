package grpc_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"parley/a2a"
	"parley/internal/golden"
)

// The vectors are messages that official SDKs sent, and that Parley sent to them, byte for byte.
// They have the JSON of the golden file, which is that of the official reader, and the messages
// that this JSON makes say the same.
func TestMessagesOfSDKs(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var text strings.Builder
	count := 0
	for lines := bufio.NewScanner(file); lines.Scan(); count++ {
		var v struct {
			From, Type string
			B64        []byte
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		got, fault := format.Render(&a2a.Binary{Kind: v.Type, Bytes: v.B64})
		if fault != nil {
			t.Errorf("%s %s: %v", v.From, v.Type, fault)
		}
		fmt.Fprintf(&text, "%s, %s\n%s\n\n", v.From, v.Type, got)
		official(t, v.Type, v.B64, got)
		back, err := format.Rebuild(v.Type, got)
		if err != nil {
			t.Errorf("%s %s: %v", v.From, v.Type, err)
			continue
		}
		if again, _ := format.Render(back); !bytes.Equal(again, got) {
			t.Errorf("%s %s: got %s after a round trip, want %s", v.From, v.Type, again, got)
		}
	}
	if count < 20 {
		t.Errorf("got %d vectors", count)
	}
	golden.Compare(t, "vectors", text.String())
}

// official compares with the official reader.
func official(t *testing.T, kind string, raw, got []byte) {
	t.Helper()
	found, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(kind))
	if err != nil {
		t.Fatal(err)
	}
	m := found.New().Interface()
	if err := proto.Unmarshal(raw, m); err != nil {
		t.Fatal(err)
	}
	want, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var x, y any
	if json.Unmarshal(got, &x) != nil || json.Unmarshal(want, &y) != nil || !reflect.DeepEqual(dropEmpty(x), dropEmpty(y)) {
		t.Errorf("%s:\n got %s\nwant %s", kind, got, want)
	}
}

// dropEmpty removes the members that protojson omits although they are on the wire: some SDKs
// write empty texts.
func dropEmpty(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member = dropEmpty(member); member == "" || member == false || member == 0.0 {
				delete(v, name)
			} else {
				v[name] = member
			}
		}
	case []any:
		for i := range v {
			v[i] = dropEmpty(v[i])
		}
	}
	return v
}
