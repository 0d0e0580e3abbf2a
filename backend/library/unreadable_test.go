package library

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

// TestWhyItIsUnreadable: that this user may not read it is told from a file that is none, so that other advice can be given.
func TestWhyItIsUnreadable(t *testing.T) {
	for problem, denied := range map[string]bool{
		"The file can't be read: open /w/a.jsonl: permission denied.":  true,
		`The file can't be read: open C:\w\a.jsonl: Access is denied.`: true,
		"The file can't be read: open /w/a: operation not permitted.":  true,
		"The file is no text of JSON.":                                 false,
	} {
		err := unreadable(&sources.Found{Agent: "pi", ID: "s1", Problem: problem})
		if errors.Is(err, fs.ErrPermission) != denied || !errors.Is(err, ErrUnreadable) || !strings.HasPrefix(err.Error(), "session pi:s1: it can't be read: The file") {
			t.Errorf("%s: %v", problem, err)
		}
	}
}
