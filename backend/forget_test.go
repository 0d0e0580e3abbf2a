package backend

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/scan"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/pi"
)

// secretWord is said in the session that is forgotten, and nowhere else.
const secretWord = "qx7vaultword"

// newForgetting is a home with two sessions of pi's, of which s1 has a secret.
func newForgetting(t *testing.T) *vanishing {
	v := newVanishing(t)
	writePiAs(t, v.home, "s2")
	text, err := os.ReadFile(v.file())
	newsMust(t, err)
	newsMust(t, os.WriteFile(v.file(), bytes.ReplaceAll(text, []byte("third"), []byte("third "+secretWord)), 0o600))
	return v
}

// traces are the files of the cache, and of our home, in which the secret stands.
func (v *vanishing) traces() (in []string) {
	v.Helper()
	for _, root := range []string{v.cache, v.ours} {
		newsMust(v.T, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if bytes.Contains(data, []byte(secretWord)) {
				in = append(in, strings.TrimPrefix(path, root))
			}
			return err
		}))
	}
	return in
}

// knows tells how many sessions a program lists, how many it counts, and in how many it finds the secret.
func (v *vanishing) knows(b *Backend) [3]int {
	v.Helper()
	all, err := b.List(v.Context(), ListOptions{})
	newsMust(v.T, err)
	found, err := b.Search(v.Context(), SearchOptions{Text: secretWord})
	newsMust(v.T, err)
	counted, err := b.Statistics(v.Context(), StatisticsOptions{})
	newsMust(v.T, err)
	return [3]int{len(all), counted.Totals.Sessions, len(found.Hits)}
}

// forgets checks that a session is forgotten.
func (v *vanishing) forgets(b *Backend, id string) {
	v.Helper()
	done, err := b.Forget(v.Context(), []string{id})
	if err != nil || len(done) != 1 || done[0].ID != id || done[0].Problem != nil {
		v.Fatalf("%+v, %v", done, err)
	}
}

// TestForget: a session whose files are gone is in no list, search or number, and in no byte of the cache, once it is forgotten; nor for
// another program that is open, nor for the next one. When its file comes back, it is found as any other.
func TestForget(t *testing.T) {
	v := newForgetting(t)
	b, other := v.open(), v.open()
	scanNow(t, b, "pi:s1")
	if _, err := b.Page("pi:s1", PageOptions{}); err != nil { // which leaves a reading
		t.Fatal(err)
	}
	text, err := os.ReadFile(v.file())
	newsMust(t, err)
	newsMust(t, os.Remove(v.file()))
	for _, program := range []*Backend{b, other} {
		newsMust(t, program.Scan(t.Context(), false, nil))
		if got := v.knows(program); got != [3]int{2, 2, 1} {
			t.Fatalf("before, %v", got)
		}
	}
	if len(v.twice()) != 1 || len(v.traces()) < 3 {
		t.Fatalf("it is to be in the reading and both indexes, not in %v", v.traces())
	}
	events, cancel := b.Subscribe()
	defer cancel()

	v.forgets(b, "pi:s1")
	if in := v.traces(); len(in) > 0 {
		t.Errorf("it is still in %v", in)
	}
	for e := range events {
		if e.Kind == EventRemoved && e.SessionID != nil && *e.SessionID == "pi:s1" {
			break
		}
	}
	if got := v.knows(b); got != [3]int{1, 1, 0} {
		t.Errorf("behind it, %v", got)
	}
	newsMust(t, other.Scan(t.Context(), false, nil))
	if got := v.knows(other); got != [3]int{1, 1, 0} {
		t.Errorf("of another program, %v", got)
	}
	b.Close()
	other.Close()
	if in, twice := v.traces(), v.twice(); len(in) > 0 || len(twice) > 0 {
		t.Errorf("when the programs have ended, it is in %v; twice are %v", in, twice)
	}
	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	if got := v.knows(b); got != [3]int{1, 1, 0} {
		t.Errorf("of the next program, %v", got)
	}
	newsMust(t, os.WriteFile(v.file(), text, 0o600))
	newsMust(t, b.Scan(t.Context(), false, nil))
	if got := v.knows(b); got != [3]int{2, 2, 1} {
		t.Errorf("when its file is back, %v", got)
	}
}

// TestForgetWhatIsThere: what is not gone is not forgotten, and what to do instead is said; it keeps no other from being forgotten.
func TestForgetWhatIsThere(t *testing.T) {
	v := newForgetting(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	kept, err := b.Keep(t.Context(), []string{"pi:s2"})
	if err != nil || kept[0].Problem != nil {
		t.Fatalf("%+v, %v", kept, err)
	}
	own, err := b.New(NewSession{})
	newsMust(t, err)
	writePiAs(t, v.home, "s3")
	for _, id := range []string{"s1", "s2"} {
		newsMust(t, os.Remove(strings.Replace(v.file(), "_s1", "_"+id, 1)))
	}
	newsMust(t, b.Scan(t.Context(), false, nil))
	done, err := b.Forget(t.Context(), []string{own.ID, "pi:s2", "pi:s3", "pi:s4", "pi:s1", "../x"})
	newsMust(t, err)
	for i, want := range []struct {
		code       Code
		says, hint string
	}{
		{CodeBadInput, "is yours", "palimpsest rm"},
		{CodeBadInput, "a copy of it is kept", "keep --drop pi:s2"},
		{CodeBadInput, "its files are there", "delete it where pi has it"},
		{CodeNotFound, "pi:s4", ""},
		{},
		{CodeInvalidID, "", ""},
	} {
		p := done[i].Problem
		if want.code == "" {
			if p != nil {
				t.Errorf("%s: %+v", done[i].ID, p)
			}
			continue
		}
		if p == nil || p.Code != want.code || !strings.Contains(p.Message, want.says) || !strings.Contains(p.Hint, want.hint) {
			t.Errorf("%s: %+v, not %+v", done[i].ID, p, want)
		}
	}
	if in := v.traces(); len(in) > 0 {
		t.Errorf("it is still in %v", in)
	}
}

// TestDropForgets: where a copy is removed that is all there was of a session, its texts go, too; where its own files are there, nothing does.
func TestDropForgets(t *testing.T) {
	v := newForgetting(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	drop := func() {
		t.Helper()
		kept, err := b.Keep(t.Context(), []string{"pi:s1", "pi:s2"})
		if err != nil || kept[0].Problem != nil || kept[1].Problem != nil {
			t.Fatalf("%+v, %v", kept, err)
		}
		if len(kept) == 2 && v.knows(b) != [3]int{2, 2, 1} {
			t.Fatalf("kept, %v", v.knows(b))
		}
	}
	drop()
	newsMust(t, b.DropCopy(t.Context(), "pi:s1"))
	newsMust(t, b.Scan(t.Context(), false, nil))
	if got := v.knows(b); got != [3]int{2, 2, 1} {
		t.Errorf("its own file is there, %v", got)
	}
	drop()
	newsMust(t, os.RemoveAll(filepath.Dir(v.file())))
	newsMust(t, os.MkdirAll(filepath.Dir(v.file()), 0o700))
	newsMust(t, b.Scan(t.Context(), false, nil))
	if got := v.knows(b); got != [3]int{2, 2, 1} {
		t.Fatalf("shown from its copy, %v", got)
	}
	newsMust(t, b.DropCopy(t.Context(), "pi:s1"))
	if in, got := v.traces(), v.knows(b); len(in) > 0 || got != [3]int{1, 1, 0} {
		t.Errorf("it is still in %v; %v", in, got)
	}
	newsMust(t, b.Scan(t.Context(), false, nil))
	if got := v.knows(b); got != [3]int{1, 1, 0} {
		t.Errorf("after a scan, %v", got)
	}
}

// TestForgetBehindDamage: what waits to be put back is put back first, or it would bring back what was forgotten.
func TestForgetBehindDamage(t *testing.T) {
	v := newForgetting(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	v.spoil()
	b, err := Open(Options{Home: v.ours, UserHome: v.home, Cache: v.cache, Sources: []sources.Source{pi.Source{}}})
	newsMust(t, err)
	t.Cleanup(b.Close)
	v.forgets(b, "pi:s1")
	if in := v.traces(); len(in) > 0 {
		t.Errorf("it is still in %v", in)
	}
}

// TestForgetWhatWasOnlyListed: a session that its agent deleted before it was read is forgotten, wherever its name is left.
func TestForgetWhatWasOnlyListed(t *testing.T) {
	v := newForgetting(t)
	text, err := os.ReadFile(v.file())
	newsMust(t, err)
	list := func() {
		t.Helper()
		b := v.open()
		_, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		b.Close()
	}
	for name, leave := range map[string]func(){
		"what its file told": list,
		"a reading": func() {
			b := v.open()
			_, err := b.Page("pi:s1", PageOptions{})
			newsMust(t, err)
			b.Close()
			newsMust(t, os.Remove(filepath.Join(v.cache, "found")))
		},
		"the beginning of a list": func() {
			kept, err := json.Marshal(lastListFile{Version, 1, []Session{{ID: "pi:s1", Name: new(secretWord)}}})
			newsMust(t, err)
			newsMust(t, os.MkdirAll(v.dir(), 0o700))
			newsMust(t, os.WriteFile(filepath.Join(v.dir(), "list.json"), kept, 0o600))
		},
		"a row of what could not be read": func() {
			b := v.open()
			_, err := b.openIndex()
			newsMust(t, err)
			c := b.indexing.stock
			_, err = c.List(t.Context(), nil)
			newsMust(t, err)
			newsMust(t, errors.Join(c.Skip(t.Context(), scan.Item{ID: "pi:s1"}, errors.New("no")), c.Settle(t.Context())))
			b.Close()
			newsMust(t, os.Remove(filepath.Join(v.cache, "found")))
		},
	} {
		newsMust(t, os.RemoveAll(v.cache))
		newsMust(t, os.WriteFile(v.file(), bytes.ReplaceAll(text, []byte("first"), []byte(secretWord)), 0o600))
		leave()
		newsMust(t, os.Remove(v.file()))
		if len(v.traces()) == 0 {
			t.Fatalf("%s: there is nothing of it", name)
		}
		b := v.open()
		v.forgets(b, "pi:s1")
		if done, err := b.Forget(t.Context(), []string{"pi:s1"}); err != nil || done[0].Problem == nil || done[0].Problem.Code != CodeNotFound {
			t.Errorf("%s: forgotten twice, %+v, %v", name, done, err)
		}
		b.Close()
		if in := v.traces(); len(in) > 0 {
			t.Errorf("%s: it is still in %v", name, in)
		}
	}
}
