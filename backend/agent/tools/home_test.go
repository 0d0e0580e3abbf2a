package tools

import (
	"os/user"
	"testing"
)

// TestHomeOfTheSystem: without a variable for the home directory, a path from there on leads where the system knows it to be.
func TestHomeOfTheSystem(t *testing.T) {
	known, err := user.Current()
	if err != nil || known.HomeDir == "" {
		t.Skip("the system knows of no home")
	}
	t.Setenv("HOME", known.HomeDir)
	t.Setenv("USERPROFILE", known.HomeDir)
	var s Set
	want := s.absolute("~/x")
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	if got := s.absolute("~/x"); got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
