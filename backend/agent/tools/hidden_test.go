//go:build unix

package tools_test

import (
	"strings"
	"testing"

	"palimpsest/backend/agent/tools"
)

// TestKeysOfTheProgramAreNotGivenBack: not in a result, in what of it is kept beside the log, in the difference, nor in
// pieces while the command runs.
func TestKeysOfTheProgramAreNotGivenBack(t *testing.T) {
	const key = "sk-program-0123456789"
	r := newRig(t)
	w := r.workspace
	w.Budget = 200
	w.Keys = func() []string { return []string{key} }
	r.Set = tools.New(w)
	r.put("keys.txt", key+"\n"+strings.Repeat("x\n", 80)+key+"\n"+strings.Repeat("y\n", 80)+key+"\n")
	clean := func(what, text string) {
		t.Helper()
		if strings.Contains(text, key) || !strings.Contains(text, "[key removed]") {
			t.Errorf("%s: %q", what, text)
		}
	}
	for name, arguments := range map[string]given{
		"read": {"path": "keys.txt"}, "grep": {"pattern": "sk-", "path": "keys.txt"}, "bash": {"command": "cat keys.txt"},
	} {
		got := r.run(name, arguments)
		clean(name, got.Text)
		if got.Whole != "" {
			clean(name+", whole", got.Whole)
		}
	}
	clean("diff", r.run("edit", given{"path": "keys.txt", "edits": []given{{"oldText": key + "\nx", "newText": "z"}}}).Diff)
	clean("error", r.run("read", given{"path": key}).Text)
	var told strings.Builder
	got := r.runWith("bash", given{"command": "printf 'sk-pro'; sleep 0; printf 'gram-0123'; printf '456789 and sk-pro'"}, tools.Options{
		Stream: func(text string) { told.WriteString(text) },
	})
	clean("streamed", told.String())
	clean("result", got.Text)
	if !strings.HasSuffix(told.String(), " and sk-pro") {
		t.Errorf("what was held back is lost: %q", told.String())
	}
}
