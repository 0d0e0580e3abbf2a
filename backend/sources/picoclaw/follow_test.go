package picoclaw

import (
	"bytes"
	"errors"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

const (
	hiddenTwo = `{"role":"user","content":"one"}` + "\n" + `{"role":"assistant","content":"two"}` + "\n"
	seenOne   = `{"role":"user","content":"three"}` + "\n"
	cameSince = `{"role":"assistant","content":"four"}` + "\n"
)

// TestReadOn: what was appended is read alone, as long as what stands beside the messages says the same.
func TestReadOn(t *testing.T) {
	for name, c := range map[string]struct {
		before, after, lines string
		on                   bool
	}{
		"nothing is hidden":             {`"skip":0,"count":3`, `"skip":0,"count":4`, hiddenTwo + seenOne, true},
		"two are hidden":                {`"summary":"S","skip":2`, `"summary":"S","skip":2`, hiddenTwo + seenOne, true},
		"as many as there are":          {`"summary":"S","skip":2`, `"summary":"S","skip":2`, hiddenTwo, false},
		"more than there are":           {`"summary":"S","skip":9`, `"summary":"S","skip":9`, hiddenTwo, false},
		"another summary since":         {`"summary":"S","skip":2`, `"summary":"T","skip":2`, hiddenTwo + seenOne, false},
		"more hidden since":             {`"summary":"S","skip":0`, `"summary":"S","skip":2`, hiddenTwo + seenOne, false},
		"what stands beside is cut off": {`"summary":"S","skip":2`, "", hiddenTwo + seenOne, false},
	} {
		t.Run(name, func(t *testing.T) {
			const file, beside = dir + "sk_v1_aa.jsonl", dir + "sk_v1_aa.meta.json"
			home := sourcetest.Home(t, map[string]string{file: c.lines, beside: meta1(c.before)})
			env := sourcetest.Env(t, home)
			found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
			var first, more bytes.Buffer
			reading, err := Source{}.Follow(t.Context(), env, found, logOf(found, &first))
			if err != nil {
				t.Fatal(err)
			}
			whole := sourcetest.Read(t, Source{}, env, found)
			if first.String() != string(whole.Log) {
				t.Errorf("followed:\n%s\nand read:\n%s", &first, whole.Log)
			}
			sourcetest.Write(t, home, file, c.lines+cameSince)
			after := meta1(c.after)
			if c.after == "" {
				after = after[:len(after)/2]
			}
			sourcetest.Write(t, home, beside, after)
			err = sources.ErrAnew
			if reading != nil {
				log := logOf(found, &more)
				log.Behind(reading.Seq())
				err = reading.More(t.Context(), found, log)
			}
			if c.on != (err == nil) || err != nil && !errors.Is(err, sources.ErrAnew) {
				t.Fatalf("reading on: %v", err)
			}
			if whole := sourcetest.Read(t, Source{}, env, found); c.on && first.String()+more.String() != string(whole.Log) {
				t.Errorf("in pieces:\n%s%s\nand whole:\n%s", &first, &more, whole.Log)
			}
		})
	}
}

// TestReadOnBesideADatabase: where a database says what the model sees, what was read stands only as long as that says so.
func TestReadOnBesideADatabase(t *testing.T) {
	e := newEngine(t)
	e.say("user", "one")
	whole := e.reading()
	env := sourcetest.Env(t, e.home)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	var out bytes.Buffer
	if reading, err := (Source{}).Follow(t.Context(), env, found, logOf(found, &out)); reading != nil || err != nil {
		t.Errorf("%v, %v", reading, err)
	}
	if out.String() != string(whole.Log) {
		t.Errorf("followed:\n%s\nand read:\n%s", &out, whole.Log)
	}
}

func logOf(found sources.Found, out *bytes.Buffer) *sources.Log {
	return sources.NewLog(found.Agent, found.ID, out, func([]byte) (string, error) { return "sha", nil })
}
