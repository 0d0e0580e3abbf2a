// Package drawn checks properties by drawn examples, for tests.
package drawn

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Few checks a property of which each example is dear by a third of as many as are usual: every run draws others.
func Few(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	const checks = "rapid.checks"
	usual := flag.Lookup(checks).Value.String()
	many, err := strconv.Atoi(usual)
	if err == nil {
		err = flag.Set(checks, strconv.Itoa((many+2)/3))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = flag.Set(checks, usual) }() // it was one
	rapid.Check(t, property)
}
