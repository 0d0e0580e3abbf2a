package sourcetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources"
)

// Bends gives members of the records of a home values of other kinds, and leaves out, repeats and swaps lines: what is read is a session
// all the same, unless its file is another's by then.
func Bends(t *testing.T, source sources.Source, home string) {
	t.Helper()
	whole := files(t, home)
	names := make([]string, 0, len(whole))
	for name := range whole {
		if strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonl") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	env := Env(t, t.TempDir())
	for name, text := range whole {
		Write(t, env.Home, name, string(text))
	}
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(names).Draw(rt, "file")
		Write(t, env.Home, name, string(bend(rt, whole[name])))
		for _, f := range Find(t, source, env) {
			if r := Read(t, source, env, f); r.Err != nil && f.Problem == "" && !errors.Is(r.Err, sources.ErrGone) {
				t.Errorf("%s: %v", f.ID, r.Err)
			} else {
				r.Context(t)
				Counted(t, f, r)
			}
		}
		Write(t, env.Home, name, string(whole[name]))
		if t.Failed() {
			rt.Fatal("a bent file broke more than itself")
		}
	})
}

// bend changes one to three records of a file.
func bend(rt *rapid.T, text []byte) []byte {
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	if json.Valid(text) { // it is one record, however many lines it has
		lines = [][]byte{text}
	}
	for range rapid.IntRange(1, 3).Draw(rt, "changes") {
		at := rapid.IntRange(0, len(lines)-1).Draw(rt, "line")
		switch rapid.IntRange(0, 5).Draw(rt, "how") {
		case 0:
			if len(lines) > 1 {
				lines = slices.Delete(slices.Clone(lines), at, at+1)
			}
		case 1:
			lines = slices.Insert(slices.Clone(lines), rapid.IntRange(0, len(lines)).Draw(rt, "again at"), lines[at])
		case 2:
			lines = slices.Clone(lines)
			with := rapid.IntRange(0, len(lines)-1).Draw(rt, "with")
			lines[at], lines[with] = lines[with], lines[at]
		default:
			lines = slices.Clone(lines)
			lines[at] = bendRecord(rt, lines[at])
		}
	}
	return append(bytes.Join(lines, []byte("\n")), '\n')
}

var strange = []any{nil, true, false, 0, -1, 1.5, 1e300, "", "x", "5", []any{}, []any{nil, 1, "x", map[string]any{}}, map[string]any{}, map[string]any{"type": 1, "text": nil}}

// bendRecord gives one value in a record another kind, or takes it away.
func bendRecord(rt *rapid.T, text []byte) []byte {
	var record any
	if json.Unmarshal(text, &record) != nil {
		return text
	}
	var sets []func(value any)
	var walk func(value any)
	walk = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			keys := make([]string, 0, len(v))
			for key := range v {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				sets = append(sets, func(value any) { v[key] = value }, func(any) { delete(v, key) })
				walk(v[key])
			}
		case []any:
			for i := range v {
				sets = append(sets, func(value any) { v[i] = value })
				walk(v[i])
			}
		}
	}
	walk(record)
	if len(sets) == 0 {
		return text
	}
	rapid.SampledFrom(sets).Draw(rt, "where")(strange[rapid.IntRange(0, len(strange)-1).Draw(rt, "what")])
	out, err := json.Marshal(record)
	if err != nil {
		return text
	}
	return out
}
