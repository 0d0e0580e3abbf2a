package backend

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// checkFew checks a property of which each example is dear by a third of as many as are usual: every run draws others.
func checkFew(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	usual := flag.Lookup("rapid.checks").Value.String()
	checks, err := strconv.Atoi(usual)
	newsMust(t, err)
	newsMust(t, flag.Set("rapid.checks", strconv.Itoa((checks+2)/3)))
	defer func() { newsMust(t, flag.Set("rapid.checks", usual)) }()
	rapid.Check(t, property)
}
