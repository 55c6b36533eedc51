package cli

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/lint"
)

// maxResults is how many findings a SARIF file contains.
const maxResults = 10000

// The objects of SARIF 2.1.0, as far as Parley writes them.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifRule struct {
		ID    string     `json:"id"`
		Short *sarifText `json:"shortDescription,omitempty"`
		Help  *sarifText `json:"help,omitempty"`
	}
	sarifResult struct {
		Rule      string          `json:"ruleId"`
		Index     int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
		Logical []sarifLogical `json:"logicalLocations"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		Name     string `json:"name"`
		FullName string `json:"fullyQualifiedName"`
	}
)

// A foundAt is a finding and the record that has it.
type foundAt struct {
	finding a2a.Finding
	record  a2a.RecordID
}

// sarifLevel is the word of SARIF for a severity.
func sarifLevel(s a2a.Severity) string {
	switch s {
	case a2a.Error:
		return "error"
	case a2a.Warning:
		return "warning"
	default:
		return "note"
	}
}

// sarifOf puts the findings of a command about an agent or a file into a log.
func sarifOf(ref string, rules *findings) sarifLog {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "Parley", Version: version, Rules: []sarifRule{}}
	for i := range rules.all {
		f := &rules.all[i]
		index := slices.IndexFunc(run.Tool.Driver.Rules, func(r sarifRule) bool { return r.ID == f.finding.Rule })
		if index < 0 {
			index = len(run.Tool.Driver.Rules)
			r := sarifRule{ID: f.finding.Rule}
			if rule, ok := lint.Lookup(r.ID); ok {
				r.Short, r.Help = &sarifText{rule.Checks}, &sarifText{rule.Fix}
			}
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, r)
		}
		at := sarifLocation{Logical: []sarifLogical{{
			Name: fmt.Sprintf("record %d", f.record), FullName: strings.TrimSpace(fmt.Sprintf("record %d %s", f.record, f.finding.Pointer)),
		}}}
		at.Physical.Artifact.URI = reportURI(ref)
		if rules.source != nil {
			at.Physical.Artifact.URI = rules.source.address()
		}
		if n := rules.source.line(f.record); n > 0 {
			at.Physical.Region = &sarifRegion{StartLine: n}
		}
		run.Results = append(run.Results, sarifResult{
			Rule: f.finding.Rule, Index: index, Level: sarifLevel(f.finding.Severity), Message: sarifText{f.finding.Message}, Locations: []sarifLocation{at},
		})
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

// reportURI returns a URI for what names an agent: a name or a host with a port is none.
func reportURI(ref string) string {
	if u, err := url.Parse(ref); err == nil && u.Scheme != "" && u.Host != "" {
		return u.String()
	}
	return (&url.URL{Path: filepath.ToSlash(ref)}).String()
}

// writeSARIF writes the findings and closes the file.
func writeSARIF(f *os.File, ref string, rules *findings) error {
	raw, err := json.Marshal(sarifOf(ref, rules))
	if err == nil {
		raw, err = indent(raw)
	}
	if err != nil {
		return err
	}
	return writeAndClose(f, append(raw, '\n'))
}
