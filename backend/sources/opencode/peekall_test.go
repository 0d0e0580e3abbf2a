package opencode

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// TestListedWithoutIndexes: a database without indexes gives the same list.
func TestListedWithoutIndexes(t *testing.T) {
	other := chat(
		[]string{`{"id":"msg_001","role":"assistant","modelID":"first","time":{"created":1}}`, `{"id":"prt_001","type":"text","text":"not typed"}`},
		[]string{`{"id":"msg_002","role":"user","time":{"created":2}}`, `{"id":"prt_002","type":"text","synthetic":true,"text":"put in"}`, `{"id":"prt_003","type":"text","text":"typed"}`},
		[]string{`{"id":"msg_003","role":"user","time":{"created":3}}`, `{"id":"prt_000","type":"text","text":"typed later"}`},
	)
	home := t.TempDir()
	path := database(t, home, "opencode.db", talk, other, conversation{session: `{"id":"ses_3","time":{"created":1,"updated":2}}`})
	env := sourcetest.Env(t, home)
	plain := sourcetest.Find(t, Source{}, env)
	if f := sourcetest.ByID(plain)["ses_2"]; f.FirstMessage != "typed" || f.Model != "first" {
		t.Errorf("%+v", f)
	}
	change(t, path, "CREATE INDEX m ON message(session_id, time_created, id)", "CREATE INDEX p ON part(message_id, id)")
	if diff := cmp.Diff(sourcetest.Find(t, Source{}, env), plain, cmpopts.IgnoreFields(sources.Found{}, "Bytes")); diff != "" {
		t.Error(diff)
	}
}

// TestBeginningsWithoutIndexes: they are made of each table in one pass, with an index for the time of the query at most.
func TestBeginningsWithoutIndexes(t *testing.T) {
	db, err := sql.Open("sqlite", database(t, t.TempDir(), "opencode.db", talk))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tables, err := openTables(t.Context(), sqlite.Database{DB: db})
	if err != nil {
		t.Fatal(err)
	}
	messages, parts := tables.beginnings()
	for _, query := range []string{messages, parts} {
		var steps []string
		rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			steps = append(steps, step)
		}
		if rows.Err() != nil || rows.Close() != nil {
			t.Fatal(rows.Err())
		}
		if plan := strings.Join(steps, "\n"); strings.Contains(plan, "CORRELATED") || strings.Count(plan, "SCAN message")+strings.Count(plan, "SCAN part") > 2 {
			t.Error(plan)
		}
	}
}
