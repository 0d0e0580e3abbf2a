package opencode

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"palimpsest/backend/overlay"
	ours "palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

func TestDamagedFiles(t *testing.T) {
	sourcetest.Survives(t, Source{}, talk.home(t, conversation.newer))
}

func TestDamagedDatabase(t *testing.T) {
	home := t.TempDir()
	database(t, home, "opencode.db", talk)
	sourcetest.SurvivesSome(t, Source{}, home, 24)
}

func TestDamagedSamples(t *testing.T) {
	sourcetest.Survives(t, Source{}, sourcetest.Samples(t, "opencode-1.1")[0])
}

// one is a store of one message with one part.
type one struct{ data, part []byte }

func (o one) messages(_ context.Context, visit func(row) error) error {
	return visit(row{id: "msg_1", data: o.data, bytes: int64(len(o.data))})
}

func (o one) message(context.Context, string) (row, error) {
	return row{id: "msg_1", data: o.data, bytes: int64(len(o.data))}, nil
}

func (o one) parts(_ context.Context, _ string, visit func(row) error) error {
	return visit(row{id: "prt_1", data: o.part, bytes: int64(len(o.part))})
}

func TestCapabilities(t *testing.T) {
	sourcetest.CheckCapabilities(t, Source{}.Capabilities())
}

func FuzzRead(f *testing.F) {
	for _, m := range talk.messages {
		for _, part := range m[1:] {
			f.Add([]byte(m[0]), []byte(part))
		}
	}
	f.Fuzz(func(t *testing.T, data, part []byte) {
		var out bytes.Buffer
		log := sources.NewLog("opencode", "s", &out, func([]byte) (string, error) { return "sha", nil })
		if err := read(t.Context(), one{data, part}, session{}, nil, log); err != nil {
			t.Fatal(err)
		}
		if _, err := overlay.Resolve(ours.NewReverse(bytes.NewReader(out.Bytes()), int64(out.Len())), overlay.Options{}); err != nil {
			t.Fatal(err)
		}
	})
}

// TestBlankDatabase: one without tables has no session, whatever it had before.
func TestBlankDatabase(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", talk)
	env := sourcetest.Env(t, home)
	before := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if found := sourcetest.Find(t, Source{}, env); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	if r := sourcetest.Read(t, Source{}, env, before); !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
}

// TestLogAlone: a database of which only the log is left is told of, whether it is gone or was emptied; SQLite itself would delete the log.
func TestLogAlone(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", talk)
	if err := os.Rename(path, path+"-wal"); err != nil {
		t.Fatal(err)
	}
	env := sourcetest.Env(t, home)
	for range 2 {
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.ID != "opencode.db" || !strings.Contains(f.Problem, "can't be read without it") {
			t.Errorf("%+v", f)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path+"-wal", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if found := sourcetest.Find(t, Source{}, env); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

// TestHalfOfASession: what was said can be read where the file of the session itself can't.
func TestHalfOfASession(t *testing.T) {
	for name, layout := range map[string]func(conversation, map[string]string){"newer": conversation.newer, "older": conversation.older} {
		for _, text := range []string{talk.session[:40], ""} {
			half := talk
			home := half.home(t, layout, func(_ conversation, into map[string]string) {
				for path := range into {
					if strings.Contains(path, "/session/p/") || strings.Contains(path, "/info/") {
						into[path] = text
					}
				}
			})
			env := sourcetest.Env(t, home)
			f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
			if r := sourcetest.Read(t, Source{}, env, f); f.Problem != "" || f.FirstMessage != "Count the rows" || r.Err != nil || r.Damaged != 1 || r.Story() != talkStory {
				t.Errorf("%s: %+v %v, %d damaged\n%s", name, f, r.Err, r.Damaged, r.Story())
			}
		}
	}
}
