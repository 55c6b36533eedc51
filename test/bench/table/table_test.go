package main

import (
	"strings"
	"testing"
)

func TestFiguresOfABenchmarkAreFoundByTheirUnits(t *testing.T) {
	out := "goos: linux\n" +
		"BenchmarkOther-8   	     100	       999 ns/op\n" +
		"BenchmarkOpen/parley-8 	       3	 1834000 ns/op	        49.50 p99-ns	  12 B/op	   3 allocs/op\nPASS\n"
	out = strings.ReplaceAll(out, "-8", suffix())
	got := figures(out, "Open/parley")
	want := map[string]float64{"ns/op": 1834000, "p99-ns": 49.5, "B/op": 12, "allocs/op": 3}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for unit, v := range want {
		if got[unit] != v {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// Each row is judged by the best of its rounds.
func TestALineSaysWhetherTheAimIsReached(t *testing.T) {
	ours, floor := benchmark{"p", "Ours", "500ms"}, benchmark{"p", "Floor", "500ms"}
	found := table{runner: &runner{results: map[benchmark]map[string][]float64{
		ours:  {"ns/op": {3000, 2500}, "events/s": {180_000, 234_567}, "allocs/op": {12, 12}, "rss-MB": {64.25, 65}, "B-written/s": {0, 0}, "p99-ns": {6e6, 5e6}},
		floor: {"ns/op": {1000, 1250}, "allocs/op": {10, 10}},
	}}}
	base := row{what: "it", pkg: "p", ours: "Ours"}
	beside := base
	beside.floor, beside.least = "Floor", "less"
	with := func(r row, unit string, a aim) row {
		r.unit, r.aim = unit, a
		return r
	}
	for _, test := range []struct {
		row  row
		want string
	}{
		{with(beside, "", times(2.5)), "| it | 2.50 µs | 1 µs | less | 2.50× | ≤ 2.5× | met | 1.25 |"},
		{with(beside, "", times(2)), "| it | 2.50 µs | 1 µs | less | 2.50× | ≤ 2× | **missed** | 1.25 |"},
		{with(beside, "", aim{}), "| it | 2.50 µs | 1 µs | less | 2.50× |  |  | 1.25 |"},
		{with(beside, allocs, over(2)), "| it | 12 | 10 | less | +2 | ≤ +2 | met | 1.00 |"},
		{with(beside, allocs, over(1)), "| it | 12 | 10 | less | +2 | ≤ +1 | **missed** | 1.00 |"},
		{with(beside, "", over(2*microsecond)), "| it | 2.50 µs | 1 µs | less | +1.50 µs | ≤ +2 µs | met | 1.25 |"},
		{with(base, perSecond, atLeast(200_000)), "| it | 234,567/s |  |  |  | ≥ 200,000/s | met | 1.30 |"},
		{with(base, perSecond, atLeast(250_000)), "| it | 234,567/s |  |  |  | ≥ 250,000/s | **missed** | 1.30 |"},
		{with(base, "rss-MB", atMost(64)), "| it | 64.2 MB |  |  |  | ≤ 64 MB | **missed** | 1.01 |"},
		{with(base, "B-written/s", atMost(0)), "| it | 0 B |  |  |  | ≤ 0 B | met | 1.00 |"},
		{with(base, "gone-ns", atMost(5*millisecond)), "| it | none |  |  |  | ≤ 5 ms | **missed** | NaN |"},
		{with(base, p99, atMost(5*millisecond)), "| it | 5 ms |  |  |  | ≤ 5 ms | met | 1.20 |"},
	} {
		if got := found.result(test.row).line(test.row); got != test.want+"\n" {
			t.Errorf("%+v:\n got %s want %s", test.row.aim, got, test.want)
		}
	}
}

func TestAProfileIsSummedByPackages(t *testing.T) {
	all := spent("File: x\nType: cpu\nShowing nodes accounting for 1s\n      flat  flat%   sum%        cum   cum%\n" +
		"     0.32s  9.4%  9.4%      0.42s  11%  example.org/m/v2.(*T[go.shape.string]).f (inline)\n" +
		"     0.32s  8%  9.4%      0.42s  10%  runtime.memmove\n" +
		"     0.32s  2%  9.4%      0.42s  30%  runtime.main.func1\n")
	shares := map[string]float64{}
	for _, f := range all {
		shares[f.pkg()] += f.percent
	}
	if got, want := largest(shares, 5), "runtime 10 %, example.org/m/v2 9 %"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if f := all[0]; f.name != "example.org/m/v2.(*T[go.shape.string]).f" || f.percent != 9.4 || f.total != 11 {
		t.Errorf("got first function %+v", f)
	}
}
