//go:build !race

package all

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/many"
	"palimpsest/backend/sources/crabtalk"
)

// rowed write a session of CrabTalk's with so many messages, in each of the forms that have all of them in one file.
var rowed = map[string]func(t *testing.T, home string, count int){
	"messages": func(t *testing.T, home string, count int) {
		closed(t, made(t, home, "crabtalk.db"),
			"CREATE TABLE session_messages (session_handle TEXT NOT NULL, idx INTEGER NOT NULL, entry_json TEXT NOT NULL, PRIMARY KEY (session_handle, idx))",
			counting(count, `INSERT INTO session_messages SELECT 'h', i, '{"role":"user","content":"go on ' || i || '"}' FROM n`))
	},
	"keys": func(t *testing.T, home string, count int) {
		closed(t, made(t, home, "crabtalk.db"),
			"CREATE TABLE kv (col INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (col, key))",
			counting(count, `INSERT INTO kv SELECT 1, CAST(printf('local/session/h/msg/%012d', i) AS BLOB), CAST('{"role":"user","content":"go on ' || i || '"}' AS BLOB) FROM n`))
	},
	"store": func(t *testing.T, home string, count int) {
		t.Helper()
		out := bytes.NewBufferString("CRMEM\x00\x01\x00\x00\x00")
		out.Write(make([]byte, 22))
		put := func(text string) {
			_ = binary.Write(out, binary.LittleEndian, uint32(len(text))) // never fails
			out.WriteString(text)
		}
		for i := range count {
			out.WriteString("\x00\x01")
			put(fmt.Sprintf("session/h/msg/%012d", i))
			put(fmt.Sprintf(`{"role":"user","content":"go on %d"}`, i))
		}
		if err := os.WriteFile(made(t, home, "store.crmem"), out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	},
}

// made is the path of a file in CrabTalk's directory, which is there.
func made(t *testing.T, home, name string) string {
	t.Helper()
	dir := filepath.Join(home, ".crabtalk")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

// counting is a statement that has the numbers from 0 on in n.
func counting(count int, insert string) string {
	return fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", count-1) + insert
}

// TestMemoryOfManyRows: of each message of a store or a database little is held: their numbers, in order, and what every log has of its newest.
func TestMemoryOfManyRows(t *testing.T) {
	many.TestOnlyLittle(t)
	const count, more, fixed = 20_000, 24, 1 << 20 // bytes a row, and those that are the same for any number of them
	for name, write := range rowed {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, count)
			m := meteredIn(t, crabtalk.Source{}, home, count)
			if m.most > fixed+count*more {
				t.Errorf("%d bytes are held for each row", m.most/count)
			}
			t.Logf("%d bytes a row, with buffers", m.most/count)
		})
	}
}
