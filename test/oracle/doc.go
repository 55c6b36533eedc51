// Package oracle records what command lines of parley print and with which status they end.
//
// testdata/lines.txt has the command lines, testdata/*.golden what they print, a file for each
// group. Every story, a paragraph of lines, has its own home, working folder and agents of the demo,
// so that the stories can run side by side. Ids, times, durations, ports, folders and versions are
// replaced by stable words: id1 is the first id of a story, also in later lines.
//
// Left out is what honestly differs: names that need DNS, servers that run until ctrl+c (except one
// of serve), tasks that go on between two lines, exports of sessions with times of the run (recordings
// with fixed times stand in for them), and everything that needs a terminal. Long base64 texts are
// replaced by their length and hash.
//
// What scripts read must not change by accident. Run the test with -update after an intended
// change, read the difference, and add it to docs/cli.md and CHANGELOG.md.
package oracle
