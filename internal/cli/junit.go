package cli

import (
	"encoding/xml"
	"os"
	"time"
)

// A testCase is one thing that a command verified, as a JUnit report has it.
type testCase struct {
	class, name string
	failure     string // why it failed, empty if it did not
	fault       string // the code of the failure to find out, empty if there was none
	skipped     string // why it was not verified, empty if it was
	guarded     bool   // it was not verified for want of credentials
	doubt       bool   // a server on the way may have caused what was found
	output      string
	file        string // with the record that it is about, empty if there is none
	line        int
}

// The elements of a JUnit report, as the tools of continuous integration read them.
type (
	junitReport struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitTests `xml:"testsuite"`
	}
	junitTests struct {
		Name      string      `xml:"name,attr"`
		Tests     int         `xml:"tests,attr"`
		Failures  int         `xml:"failures,attr"`
		Errors    int         `xml:"errors,attr"`
		Skipped   int         `xml:"skipped,attr"`
		Time      float64     `xml:"time,attr"`
		Timestamp string      `xml:"timestamp,attr"`
		Cases     []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitProblem `xml:"failure,omitempty"`
		Error   *junitProblem `xml:"error,omitempty"`
		Skipped *junitProblem `xml:"skipped,omitempty"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
	}
)

// junitSuite puts the test cases of a command into a report.
func junitSuite(command, ref string, cases []testCase, began, ended time.Time) junitReport {
	s := junitTests{
		Name: "parley " + command + " " + line(ref), Tests: len(cases),
		Time: ended.Sub(began).Seconds(), Timestamp: began.UTC().Format("2006-01-02T15:04:05"),
	}
	for _, c := range cases {
		j := junitCase{Class: "parley." + command + "." + c.class, Name: line(c.name), Output: clean(c.output), File: line(c.file), Line: c.line}
		switch {
		case c.fault != "":
			j.Error = &junitProblem{Message: clean(c.output), Type: c.fault}
			s.Errors++
		case c.failure != "":
			j.Failure = &junitProblem{Message: clean(c.failure)}
			s.Failures++
		case c.skipped != "":
			j.Skipped = &junitProblem{Message: clean(c.skipped)}
			s.Skipped++
		}
		s.Cases = append(s.Cases, j)
	}
	return junitReport{Suite: s}
}

// writeJUnit writes a report and closes the file.
func writeJUnit(f *os.File, r junitReport) error {
	raw, err := xml.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return writeAndClose(f, append([]byte(xml.Header), append(raw, '\n')...))
}

// writeAndClose writes the content of a file and closes it.
func writeAndClose(f *os.File, content []byte) error {
	_, err := f.Write(content)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
