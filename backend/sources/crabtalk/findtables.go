package crabtalk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/borrow"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// databaseSuffixes are those of databases: CrabTalk lets whoever starts it say what one is called.
var databaseSuffixes = []string{".db", ".sqlite", ".sqlite3"}

func inDatabase(path string) bool { return slices.Contains(databaseSuffixes, filepath.Ext(path)) }

// databasesIn are the files in CrabTalk's directory, and in folders of it, that are databases by what they begin with, or links to such.
func databasesIn(env sources.Env, root string) []string {
	var out []string
	entries, err := os.ReadDir(root) // what was read before an error counts; missing is usual
	env.Deny(err)
	for _, entry := range entries {
		path := filepath.Join(root, entry.Name())
		if isDatabase(path) {
			out = append(out, path)
		}
		if !entry.IsDir() {
			continue
		}
		below, err := os.ReadDir(path)
		env.Deny(err)
		for _, entry := range below {
			if path := filepath.Join(path, entry.Name()); isDatabase(path) {
				out = append(out, path)
			}
		}
	}
	return out
}

// isDatabase tells a database by its beginning; the agent's memory has the name of one. An empty file with a log may be one, too.
func isDatabase(path string) bool {
	const beginning = "SQLite format 3\x00"
	if !inDatabase(path) || filepath.Base(path) == memoryName {
		return false
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := borrow.Open(path)
	if err != nil {
		return false // nobody knows what it is
	}
	head := make([]byte, len(beginning))
	n, _ := file.ReadAt(head, 0) // what was read counts
	_ = file.Close()             // opened for reading
	return string(head) == beginning || n == 0 && sqlite.HasLog(path)
}

// findTables tells of the sessions in one database.
func (s Source) findTables(ctx context.Context, env sources.Env, path string, tell func(sources.Found)) {
	err := s.inTables(ctx, env, path, tell)
	if err != nil && ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
		tell(sources.Found{Agent: s.Agent(), ID: filepath.Base(path), Files: []string{path}, Problem: "The database of CrabTalk can't be read: " + err.Error()})
	}
}

func (s Source) inTables(ctx context.Context, env sources.Env, path string, tell func(sources.Found)) error {
	db, release, err := s.Databases.Open(ctx, env.Temp, path)
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	t, is, err := openTables(ctx, db.DB, "")
	if err != nil || !is {
		return err
	}
	handles, k := t.at.handles(), t.keyed(ctx)
	for _, handle := range slices.Sorted(maps.Keys(handles)) {
		keys := handles[handle]
		f := sources.Found{Agent: s.Agent(), ID: idOf(handle), Row: handle, Files: []string{path}, Writes: k.writes(keys)}
		k.peekKeys(keys, &f)
		at := func(name string) time.Time {
			return jsonl.Time(gjson.Result{Type: gjson.String, Str: t.rows[f.ID][name]})
		}
		if created := at("created_at"); !created.IsZero() {
			f.CreatedAt = created
		}
		if updated := at("updated_at"); updated.After(f.UpdatedAt) {
			f.UpdatedAt = updated
		}
		tell(f)
	}
	if err := cmp.Or(db.Cut, t.lost); err != nil {
		return fmt.Errorf("not all of its sessions were found: %w", err)
	}
	return nil
}

// writes is another number for other keys.
func (k keyed) writes(keys []int32) int64 {
	sum := fnv.New64a()
	for _, n := range keys {
		_, _ = sum.Write([]byte(k.key(n) + "\n")) // never fails
	}
	return int64(sum.Sum64()>>1) | 1
}

// readTables reads a session out of a database.
func (s Source) readTables(ctx context.Context, env sources.Env, r *reader, path, handle string) error {
	db, release, err := s.Databases.Open(ctx, env.Temp, path)
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	t, _, err := openTables(ctx, db.DB, handle)
	if err == nil {
		err = r.stored(ctx, t.keyed(ctx), t.at.handles()[handle])
	}
	return db.Why(err)
}
