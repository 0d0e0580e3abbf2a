package backend

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"palimpsest/backend/index"
	"palimpsest/backend/scan"
)

// TestForgetWhatOthersRemember: what was said first stands in what is remembered of files, too, under whatever id; another program that read
// that before does not write it back, and tells that the session is gone.
func TestForgetWhatOthersRemember(t *testing.T) {
	for name, id := range map[string]string{"a usual id": "s1", "one that can't be printed": `s\u00071`} {
		t.Run(name, func(t *testing.T) {
			v := newForgetting(t)
			text, err := os.ReadFile(v.file())
			newsMust(t, err)
			for _, word := range []string{"first", "third"} {
				text = bytes.ReplaceAll(text, []byte(word), []byte(secretWord))
			}
			text = bytes.Replace(text, []byte(`"id":"s1"`), []byte(`"id":"`+id+`"`), 1)
			newsMust(t, os.WriteFile(v.file(), text, 0o600))
			before := v.open()
			newsMust(t, before.Scan(t.Context(), false, nil))
			before.Close()
			b, other := v.open(), v.open()
			newsMust(t, b.Scan(t.Context(), false, nil))
			newsMust(t, other.Scan(t.Context(), false, nil))
			if in := strings.Join(v.traces(), " "); !strings.Contains(in, "found") {
				t.Fatalf("it is not remembered: %s", in)
			}
			ref := ""
			all, err := b.List(t.Context(), ListOptions{})
			newsMust(t, err)
			for i := range all {
				if strings.HasPrefix(all[i].ID, "pi:s") && all[i].ID != "pi:s2" {
					ref = all[i].ID
				}
			}
			newsMust(t, os.Remove(v.file()))
			newsMust(t, other.Scan(t.Context(), false, nil))
			events, cancel := other.Subscribe()
			defer cancel()
			v.forgets(b, ref)
			if in := v.traces(); len(in) > 0 {
				t.Errorf("it is still in %v", in)
			}
			writePiAs(t, v.home, "s3")
			newsMust(t, other.Scan(t.Context(), false, nil))
			other.Close()
			b.Close()
			told := false
			for e := range events {
				told = told || e.Kind == EventRemoved && e.SessionID != nil && *e.SessionID == ref
			}
			if !told {
				t.Error("the other does not tell that it is gone")
			}
			if in := v.traces(); len(in) > 0 {
				t.Errorf("the other wrote it to %v", in)
			}
		})
	}
}

// TestForgetWithoutRoom: where it can't be noted that something is to be forgotten, nothing is. What was forgotten when the program was killed
// is overwritten by the next one that checks the indexes.
func TestForgetWithoutRoom(t *testing.T) {
	v := newForgetting(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	if _, err := b.Page("pi:s1", PageOptions{}); err != nil { // which leaves a reading
		t.Fatal(err)
	}
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	before := v.knows(b)
	mark := filepath.Join(v.dir(), "forgetting")
	newsMust(t, os.Mkdir(mark, 0o700))
	done, err := b.Forget(t.Context(), []string{"pi:s1"})
	newsMust(t, err)
	if p := done[0].Problem; p == nil || !strings.Contains(p.Message, "nothing was forgotten") || v.knows(b) != before {
		t.Errorf("%+v, %v", p, v.knows(b))
	}
	for _, in := range v.traces() { // else whoever is killed in between could not forget it again, and that would stay
		if !strings.Contains(in, "index.db") {
			t.Errorf("it is to go out of all else before it goes out of the index, and is still in %s", in)
		}
	}
	newsMust(t, os.Remove(mark))

	c := b.indexing.stock
	for _, x := range []*index.Index{c.index, c.second.index} { // as far as one that is killed has come
		newsMust(t, x.Remove(t.Context(), "pi:s1"))
	}
	b.Close()
	for _, dir := range []string{v.dir(), filepath.Join(v.dir(), secondName)} {
		newsMust(t, os.WriteFile(filepath.Join(dir, "forgetting"), nil, 0o600))
	}
	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	for _, in := range v.traces() {
		if strings.Contains(in, "index.db") {
			t.Errorf("it is still in %s", in)
		}
	}
}

// TestForgottenInPart: what is out of an index counts as forgotten only if it is out of both.
func TestForgottenInPart(t *testing.T) {
	v := newForgetting(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	stock, full := b.indexing.stock, errors.New("the disk is full")
	for _, c := range []struct {
		second, first error
		out           bool
	}{{nil, nil, true}, {index.ErrLeft, nil, true}, {nil, index.ErrLeft, true}, {index.ErrLeft, full, false}, {full, nil, false}, {nil, full, false}} {
		err := stock.second.both(stock.index, func(x *index.Index) error {
			if x == stock.index {
				return c.first
			}
			return c.second
		})
		if (err == nil || errors.Is(err, index.ErrLeft)) != c.out || (err == nil) != (c.second == nil && c.first == nil) {
			t.Errorf("%v, %v: %v", c.second, c.first, err)
		}
	}
}

// TestForgottenWhileItIsTaken: a session of which the row alone is to be in the second index is in none if it is forgotten before that.
func TestForgottenWhileItIsTaken(t *testing.T) {
	v := newForgetting(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	stock := b.indexing.stock
	stock.second.most = 0
	_, err := stock.second.open(true)
	newsMust(t, err)
	taken := make(chan error)
	newsMust(t, stock.second.alone(func() error {
		go func() { taken <- stock.second.take(t.Context(), stock.index, "pi:s1") }()
		return stock.index.Forget(t.Context(), "pi:s1")
	}))
	newsMust(t, <-taken)
	b.Close()
	if rows := v.twice(); len(rows) > 0 {
		t.Errorf("%+v", rows)
	}
}

// TestForgottenWhileItIsRead: a session that is forgotten, by whatever program, while one reads it into the index does not come back with that:
// neither where it was there before, nor where it was only listed, nor where nothing can be read of it. What is there does.
func TestForgottenWhileItIsRead(t *testing.T) {
	for _, c := range []struct {
		name                string
		before, here, there bool
		text                string
	}{
		{name: "read before, and forgotten by another program", before: true},
		{name: "read before", before: true, here: true},
		{name: "only listed, and forgotten by another program"},
		{name: "only listed", here: true},
		{name: "without a text", text: `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00Z","cwd":"/` + secretWord + `"}` + "\n"},
		{name: "there, and another one forgotten", there: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newForgetting(t)
			b, forgetter := v.open(), v.open()
			if c.here {
				forgetter = b
			}
			if c.before {
				newsMust(t, b.Scan(t.Context(), false, nil))
				text, err := os.ReadFile(v.file())
				newsMust(t, err)
				newsMust(t, os.WriteFile(v.file(), append(text, text...), 0o600))
			}
			if c.text != "" {
				newsMust(t, os.WriteFile(v.file(), []byte(c.text), 0o600))
			}
			_, err := b.digests(t.Context())
			newsMust(t, err)
			_, err = forgetter.List(t.Context(), ListOptions{})
			newsMust(t, err)
			stock := b.indexing.stock
			listing, err := stock.List(t.Context(), nil)
			newsMust(t, err)
			item := listing.Items[slices.IndexFunc(listing.Items, func(item scan.Item) bool { return item.ID == "pi:s1" })]
			forget := sync.OnceFunc(func() {
				id := "s1"
				if c.there {
					id = "s2"
				}
				newsMust(t, os.Remove(strings.Replace(v.file(), "_s1", "_"+id, 1)))
				v.forgets(forgetter, "pi:"+id)
			})
			opened := false
			newsMust(t, stock.Read(t.Context(), item, func() error {
				if opened {
					forget()
				}
				opened = true // it is by the next time
				return nil
			}))
			forget() // where there was no next time, it waits to be written
			newsMust(t, stock.Settle(t.Context()))
			row, there, err := b.indexing.index.Session(t.Context(), "pi:s1")
			newsMust(t, err)
			known, err := b.digests(t.Context())
			newsMust(t, err)
			if _, knows := known["pi:s1"]; there != c.there || knows != c.there {
				t.Errorf("it is in the index: %t, %+v, and known: %t", there, row, knows)
			}
			b.Close()
			forgetter.Close()
			if in := v.traces(); len(in) > 0 != c.there {
				t.Errorf("it is in %v", in)
			}
		})
	}
}
