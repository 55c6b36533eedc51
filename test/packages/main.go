// Packages prints the paths of the module's packages that have a property, so that a check
// runs where it can find something. It prints a line for each package, and takes the name of
// a property:
//
//	go run ./test/packages concurrent
//
// The properties are derived from the source and from the imports; no list is kept by hand.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// properties find the packages of the module in a directory, by the names of the properties.
var properties = map[string]func(dir string) ([]*pkg, error){
	"concurrent": concurrent,
	"benchmarks": benchmarked,
	"windows":    func(dir string) ([]*pkg, error) { return tagged(dir, "windows") },
	"darwin":     func(dir string) ([]*pkg, error) { return tagged(dir, "darwin") },
}

func main() {
	if err := run(".", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run prints the packages in dir with the property that args names.
func run(dir string, args []string) error {
	if len(args) != 1 || properties[args[0]] == nil {
		return fmt.Errorf("name one property: %s", strings.Join(slices.Sorted(maps.Keys(properties)), ", "))
	}
	found, err := properties[args[0]](dir)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("no package is %s", args[0])
	}
	for _, p := range found {
		fmt.Println(p.ImportPath)
	}
	return nil
}

// concurrent returns the packages in which the race detector can find something.
func concurrent(dir string) ([]*pkg, error) {
	all, err := load(dir, "")
	return slices.DeleteFunc(all, func(p *pkg) bool { return !p.concurrent() }), err
}

// benchmarked returns the packages that have benchmarks.
func benchmarked(dir string) ([]*pkg, error) {
	all, err := load(dir, "")
	return slices.DeleteFunc(all, func(p *pkg) bool { return !p.benchmarks }), err
}

// tagged returns the packages that have other files on another operating system than on this one, and
// have files there at all.
func tagged(dir, system string) ([]*pkg, error) {
	here, err := load(dir, "")
	if err != nil {
		return nil, err
	}
	there, err := load(dir, system)
	if err != nil {
		return nil, err
	}
	files := map[string][]string{}
	for _, p := range here {
		files[p.ImportPath] = p.files()
	}
	return slices.DeleteFunc(there, func(p *pkg) bool {
		return len(p.files()) == 0 || slices.Equal(p.files(), files[p.ImportPath])
	}), nil
}
