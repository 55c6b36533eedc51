package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// A bill is a bill of materials of CycloneDX 1.6: what a program consists of.
type bill struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// moduleList returns the bill of materials of a program: the modules that the linker put into it, and
// the standard library.
func moduleList(path string, program []byte, name, version string, at time.Time) ([]byte, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(program)
	self := component{Type: "application", Ref: name, Name: "parley", Version: version, Hashes: []hash{{"SHA-256", fmt.Sprintf("%x", sum)}}}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS", "GOARCH", "vcs.revision", "vcs.modified":
			self.Properties = append(self.Properties, property{"go:" + s.Key, s.Value})
		}
	}
	all := []component{golang("std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		all = append(all, module(m))
	}
	slices.SortFunc(all, func(a, b component) int { return cmp.Compare(a.Ref, b.Ref) })
	depends := make([]string, len(all))
	for i := range all {
		depends[i] = all[i].Ref
	}
	b := bill{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Serial:     serial(sum),
		Metadata:   metadata{Timestamp: at.Format(time.RFC3339), Component: self},
		Components: all, Dependencies: []dependency{{Ref: name, DependsOn: depends}},
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(b)
	return out.Bytes(), err
}

// serial returns a UUID that belongs to a program: the same for the same bytes.
func serial(sum [sha256.Size]byte) string {
	id := sum[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // version 8, made from a hash
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// module describes a module, or what replaces it.
func module(m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	c := golang(m.Path, m.Version)
	if m.Sum != "" {
		c.Properties = []property{{"go:sum", m.Sum}}
	}
	return c
}

// golang describes a module of Go by its package URL.
func golang(path, version string) component {
	words := strings.Split(path, "/")
	for i := range words {
		words[i] = url.PathEscape(words[i])
	}
	purl := "pkg:golang/" + strings.Join(words, "/") + "@" + url.QueryEscape(version)
	return component{Type: "library", Ref: purl, Name: path, Version: version, PURL: purl}
}
