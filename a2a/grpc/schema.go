package grpc

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	pb03 "github.com/a2aproject/a2a-go/a2apb"
	pb10 "github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/googleapis/rpc/status"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A schema has the messages and methods of the services, by name.
type schema struct {
	messages map[string]*message
	methods  map[string]method // by path: "/lf.a2a.v1.A2AService/SendMessage"
}

// A method has a request and answers.
type method struct{ takes, answers *message }

// A message is a type of protocol buffers.
type message struct {
	name   string
	fields []*field // by number
	byName map[string]*field
	shape  shape
}

// A shape is the JSON of a message: an object of its fields, or the one that a well-known type
// has instead.
type shape uint8

const (
	plainShape shape = iota
	structShape
	valueShape
	listShape
	timestampShape
	durationShape
	anyShape
)

// A field is one of a message.
type field struct {
	number  protoreflect.FieldNumber
	name    string // in JSON
	kind    protoreflect.Kind
	list    bool
	isMap   bool
	message *message // of its values; of the entries of a map
	words   map[int32]string
	numbers map[string]int32
}

// newSchema builds the schema on first use: it takes longer than the program may take to start.
func newSchema() func() *schema {
	return sync.OnceValue(func() *schema {
		s := &schema{messages: map[string]*message{}, methods: map[string]method{}}
		for _, file := range []protoreflect.FileDescriptor{
			pb10.File_a2av1_proto, pb03.File_a2a_proto, status.File_google_rpc_status_proto, errdetails.File_google_rpc_error_details_proto,
			reflection.File_grpc_reflection_v1_reflection_proto,
		} {
			for i := range file.Messages().Len() {
				s.message(file.Messages().Get(i))
			}
			for i := range file.Services().Len() {
				s.service(file.Services().Get(i))
			}
		}
		s.messages["a2a.v1.Message"].alias("content", "parts")
		return s
	})
}

func (s *schema) service(d protoreflect.ServiceDescriptor) {
	for i := range d.Methods().Len() {
		m := d.Methods().Get(i)
		s.methods["/"+string(d.FullName())+"/"+string(m.Name())] = method{s.message(m.Input()), s.message(m.Output())}
	}
}

// message returns a type, which it builds with those that it refers to.
func (s *schema) message(d protoreflect.MessageDescriptor) *message {
	name := string(d.FullName())
	if m, ok := s.messages[name]; ok {
		return m
	}
	m := &message{name: name, byName: map[string]*field{}, shape: shapeOf(name)}
	s.messages[name] = m
	for i := range d.Fields().Len() {
		m.add(s, d.Fields().Get(i))
	}
	slices.SortFunc(m.fields, func(a, b *field) int { return cmp.Compare(a.number, b.number) })
	return m
}

func (m *message) add(s *schema, d protoreflect.FieldDescriptor) {
	f := &field{number: d.Number(), name: d.JSONName(), kind: d.Kind(), list: d.IsList(), isMap: d.IsMap()}
	if inner := d.Message(); inner != nil {
		f.message = s.message(inner)
	}
	if d.Enum() != nil {
		f.words, f.numbers = map[int32]string{}, map[string]int32{}
		for i := range d.Enum().Values().Len() {
			v := d.Enum().Values().Get(i)
			f.words[int32(v.Number())], f.numbers[string(v.Name())] = string(v.Name()), int32(v.Number())
		}
	}
	m.fields = append(m.fields, f)
	m.byName[f.name], m.byName[string(d.Name())] = f, f
}

// alias gives a field the name that another release gave it.
func (m *message) alias(other, name string) {
	if f := m.byName[name]; f != nil && m.byName[other] == nil {
		m.byName[other] = f
	}
}

// field returns the field of a number, nil if the descriptors lack it.
func (m *message) field(n protoreflect.FieldNumber) *field {
	if i := int(n) - 1; i >= 0 && i < len(m.fields) && m.fields[i].number == n {
		return m.fields[i] // as in most messages
	}
	i, ok := slices.BinarySearchFunc(m.fields, n, func(f *field, n protoreflect.FieldNumber) int { return cmp.Compare(f.number, n) })
	if !ok {
		return nil
	}
	return m.fields[i]
}

// short is the name of a message without its package.
func (m *message) short() string { return m.name[strings.LastIndexByte(m.name, '.')+1:] }

func shapeOf(name string) shape {
	switch name {
	case "google.protobuf.Struct":
		return structShape
	case "google.protobuf.Value":
		return valueShape
	case "google.protobuf.ListValue":
		return listShape
	case "google.protobuf.Timestamp":
		return timestampShape
	case "google.protobuf.Duration":
		return durationShape
	case "google.protobuf.Any":
		return anyShape
	default:
		return plainShape
	}
}
