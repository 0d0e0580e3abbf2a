package desk

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"palimpsest/backend/session"
)

const id = "01JD0000000000000000000001"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestDesk(t *testing.T) {
	d := Open(filepath.Join(t.TempDir(), "desk"))
	get := func(key, want string) {
		t.Helper()
		got, err := d.Get(key)
		must(t, err)
		if string(got) != want {
			t.Errorf("%s holds %s, not %s", key, got, want)
		}
	}
	get("view", "null")
	must(t, d.Put("view", []byte(`{"theme":"dark"}`)))
	must(t, d.Put("unsent."+id, []byte(`"half a thought"`)))
	must(t, d.Put("review."+id, []byte(`{}`)))
	get("view", `{"theme":"dark"}`)
	must(t, d.Put("review."+id, []byte(" null\n")))
	must(t, d.Put("review."+id, []byte("null")))
	get("review."+id, "null")
	must(t, os.WriteFile(filepath.Join(d.dir, "view.json.tmp-1"), nil, 0o600))
	got, err := d.Keys()
	must(t, err)
	if diff := cmp.Diff([]string{"unsent." + id, "view"}, got); diff != "" {
		t.Errorf("keys (-want +got)\n%s", diff)
	}
	must(t, d.Clear(id))
	get("unsent."+id, "null")
	get("view", `{"theme":"dark"}`)
}

func TestKeys(t *testing.T) {
	d := Open(t.TempDir())
	for _, key := range []string{"", "View", "a/b", "..", "../view", "view.", "view.json", "unsent.01jd0000000000000000000001", strings.Repeat("a", 33), "con:", "view\x00"} {
		if err := d.Put(key, []byte("1")); !errors.Is(err, session.ErrInput) {
			t.Errorf("put %q: %v", key, err)
		}
		if _, err := d.Get(key); !errors.Is(err, session.ErrInput) {
			t.Errorf("get %q: %v", key, err)
		}
	}
	for _, value := range []string{"", "{", `{"a":1}{`, `"` + strings.Repeat("x", Most) + `"`} {
		if err := d.Put("view", []byte(value)); !errors.Is(err, session.ErrInput) {
			t.Errorf("put %.20q: %v", value, err)
		}
	}
}

// TestChanges: what others did is told once, what this Desk did is not.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	mine, others := Open(dir), Open(dir)
	changes := func(want ...string) {
		t.Helper()
		got, err := mine.Changes()
		must(t, err)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	must(t, others.Put("view", []byte("1")))
	changes()
	must(t, mine.Put("unsent", []byte("1")))
	changes()
	must(t, others.Put("view", []byte("22")))
	must(t, others.Put("review", []byte("1")))
	changes("review", "view")
	changes()
	must(t, others.Put("unsent", []byte("null")))
	changes("unsent")
}

// TestDamagedPiece: what another program broke is an error that names the file, and can be laid down anew.
func TestDamagedPiece(t *testing.T) {
	d := Open(t.TempDir())
	must(t, os.WriteFile(filepath.Join(d.dir, "view.json"), []byte(`{"theme":`), 0o600))
	if _, err := d.Get("view"); err == nil || !strings.Contains(err.Error(), "view.json") {
		t.Errorf("%v", err)
	}
	must(t, d.Put("view", []byte("{}")))
	_, err := d.Get("view")
	must(t, err)
}

// TestWhole: whoever reads while many write sees one of the values, whole.
func TestWhole(t *testing.T) {
	d := Open(t.TempDir())
	long := []byte(`"` + strings.Repeat("y", 100_000) + `"`)
	var writers sync.WaitGroup
	for _, value := range [][]byte{[]byte(`"x"`), long} {
		writers.Go(func() {
			for range 10 {
				if err := d.Put("view", value); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 50 {
		got, err := d.Get("view")
		must(t, err)
		if s := string(got); s != "null" && s != `"x"` && s != string(long) {
			t.Fatalf("%d bytes", len(s))
		}
	}
	writers.Wait()
}

// TestGetWaits: who asks while a piece is being laid down gets that piece.
func TestGetWaits(t *testing.T) {
	d := Open(t.TempDir())
	for n := range 500 {
		begun, got := make(chan struct{}), make(chan string)
		d.mu.Lock() // as Put holds it
		go func() {
			close(begun)
			value, err := d.Get("unsent")
			if err != nil {
				t.Error(err)
			}
			got <- string(value)
		}()
		<-begun
		runtime.Gosched()
		path, _ := d.path("unsent")
		want := strconv.Itoa(n)
		if err := os.WriteFile(path+".new", []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		d.mu.Unlock()
		if value := <-got; value != want {
			t.Fatalf("%s, not %s", value, want)
		}
	}
}
