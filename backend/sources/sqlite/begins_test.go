package sqlite

import (
	"path/filepath"
	"testing"
)

// TestExcerptOfKeys: rows may be told by what their keys begin with, text or not.
func TestExcerptOfKeys(t *testing.T) {
	path := made(t, `CREATE TABLE kv (col INTEGER, key BLOB, value BLOB, PRIMARY KEY (col, key));
INSERT INTO kv VALUES (1, CAST('session/a/1' AS BLOB), 'one'), (1, CAST('session/ab/1' AS BLOB), 'of ab'), (1, 'session/a/2', 'two'), (2, CAST('it''s/x' AS BLOB), 'three'), (1, NULL, 'nothing');`)
	to := filepath.Join(t.TempDir(), "excerpt")
	rows := Rows{ID: "a", Begins: []Beginning{{Column{"kv", "key"}, "session/a/"}, {Column{"kv", "key"}, "it's"}, {Column{"kv", "none"}, ""}}}
	if err := (&Cache{}).Excerpt(t.Context(), t.TempDir(), path, to, rows); err != nil {
		t.Fatal(err)
	}
	db, cleanup, err := uncached.Open(t.Context(), t.TempDir(), to)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cleanup() }()
	var got Text
	if err := db.QueryRow("SELECT group_concat(value, ' ' ORDER BY value) FROM kv").Scan(&got); err != nil || got != "one three two" {
		t.Errorf("%q, %v", got, err)
	}
}
