package sources

import (
	_ "embed"
	"strings"
)

//go:embed code.txt
var code string

// Code is a sum of the code that sessions are read with, all of it: what a [Memory] holds, and what was read of a session, is of no use to
// another one. A test of package all says when it is another, and writes it.
func Code() string { return strings.TrimSpace(code) }
