package model

import (
	"bytes"
	"encoding/json"
	"slices"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// maxSchema is the size in bytes up to which a value is examined as a schema.
const maxSchema = 1 << 20

// A Form is a JSON schema with which an agent describes the input that it wants, and what came
// with the schema.
type Form struct {
	Schema json.RawMessage
	Values json.RawMessage // initial values, nil if there are none
	About  string          // the agent's instruction
}

// The members in which agents put a schema, its initial values, and the instruction.
var (
	schemaNames = [...]string{
		"schema", "jsonSchema", "json_schema", "inputSchema", "input_schema", "requestedSchema", "requested_schema",
		"dataSchema", "data_schema", "form",
	}
	valueNames = [...]string{"form_data", "formData", "values", "initialValues", "initial", "data"}
	aboutNames = [...]string{"instructions", "description", "prompt", "title"}
)

// FormIn returns the form that a message contains, false if it has none.
func FormIn(m *a2a.Message) (Form, bool) {
	if m == nil {
		return Form{}, false
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		if s, ok := schemaIn(p.Data, true); ok {
			return s, true
		}
		if s, ok := schemaIn(p.Metadata, false); ok {
			return s, true
		}
	}
	if s, ok := schemaIn(m.Metadata, false); ok {
		return s, true
	}
	for i := range m.Parts {
		if text := []byte(m.Parts[i].Text); bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
			if s, ok := schemaIn(text, true); ok {
				return s, true
			}
		}
	}
	return Form{}, false
}

// FormInCard returns the schema of messages that a card's extensions contain, false if there is
// none.
func FormInCard(c *a2a.Card) (Form, bool) {
	if c == nil {
		return Form{}, false
	}
	for i := range c.Capabilities.Extensions {
		if s, ok := schemaIn(c.Capabilities.Extensions[i].Params, false); ok {
			return s, true
		}
	}
	return Form{}, false
}

// schemaIn finds a schema in a JSON object, or the object that is one itself.
func schemaIn(raw json.RawMessage, itself bool) (Form, bool) {
	if len(raw) == 0 || len(raw) > maxSchema {
		return Form{}, false
	}
	var doc jsontok.Doc
	if doc.Parse(raw) != nil {
		return Form{}, false
	}
	root := doc.Root()
	if s, ok := schemaMember(root); ok {
		return s, true
	}
	if itself && root.Get("properties").Kind() == jsontok.Object && (root.Get("$schema").IsText() || root.Get("type").Text() == "object") {
		return Form{Schema: bytes.Clone(root.Raw())}, true
	}
	for _, n := range root.Members() { // an extension's, under its URI
		if s, ok := schemaMember(n); ok {
			return s, true
		}
	}
	return Form{}, false
}

// schemaMember finds a schema among the members of an object.
func schemaMember(n jsontok.Node) (Form, bool) {
	for _, name := range schemaNames {
		s := n.Get(name)
		if !isSchema(s) {
			continue
		}
		found := Form{Schema: bytes.Clone(s.Raw()), About: n.GetAny(aboutNames[:]...).Text()}
		if v := n.GetAny(valueNames[:]...); v.Kind() == jsontok.Object {
			found.Values = bytes.Clone(v.Raw())
		}
		return found, true
	}
	return Form{}, false
}

// schemaTypes are the type names of JSON Schema.
var schemaTypes = [...]string{"object", "array", "string", "number", "integer", "boolean", "null"}

// isSchema reports whether an object looks like a schema.
func isSchema(n jsontok.Node) bool {
	if n.Kind() != jsontok.Object {
		return false
	}
	for name, kind := range map[string]jsontok.Kind{
		"properties": jsontok.Object, "$ref": jsontok.String, "items": jsontok.Object, "enum": jsontok.Array,
		"oneOf": jsontok.Array, "anyOf": jsontok.Array, "allOf": jsontok.Array,
	} {
		if n.Get(name).Kind() == kind {
			return true
		}
	}
	return slices.Contains(schemaTypes[:], n.Get("type").Text())
}
