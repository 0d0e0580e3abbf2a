package index

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// benchText is how much text is searched, in MB.
const benchText = 300

var benchDir struct {
	sync.Once
	dir string
	err error
}

func removeBenchDir() { _ = os.RemoveAll(benchDir.dir) }

// benchIndex is an index of benchText, built once.
func benchIndex(b *testing.B) *Index {
	b.Helper()
	benchDir.Do(func() {
		if benchDir.dir, benchDir.err = os.MkdirTemp("", "index-bench-"); benchDir.err == nil {
			benchDir.err = build(benchDir.dir, benchText<<20)
		}
	})
	if benchDir.err != nil {
		b.Fatal(benchDir.err)
	}
	return openAt(b, benchDir.dir, usual)
}

// planted are what searches of rare things find, each in one session of 250.
const (
	plantedWord  = "xylofoobarium"
	plantedWords = "这里有一个魑魅的词"
)

// build makes an index of conversations of 150 KB on average.
func build(dir string, size int) error {
	x, err := Open(dir, OpenOptions{})
	if err != nil {
		return err
	}
	defer x.Close()
	c := newCorpus()
	for i, done := 0, 0; done < size; i++ {
		var all []Text
		for t := range c.session(20_000 + int(c.random.ExpFloat64()*130_000)) {
			all = append(all, t)
			done += len(t.Text)
		}
		if i%250 == 100 {
			all = append(all, Text{Scope: Output, Tool: "bash", Text: "see " + plantedWord + " there"}, Text{Scope: Assistant, Text: plantedWords})
		}
		s := Session{ID: fmt.Sprintf("01J%06d", i), Updated: time.Unix(1e9-int64(i), 0), Digest: make([]byte, 1000)}
		if err := x.Put(context.Background(), s, texts(all...)); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkBuild tells how fast texts get in, and what they take on disk.
func BenchmarkBuild(b *testing.B) {
	const size = 100 << 20
	made := madeSessions(size)
	for b.Loop() {
		dir := b.TempDir()
		x := openAt(b, dir, usual)
		start := time.Now()
		for i, all := range made {
			if err := x.Put(b.Context(), Session{ID: fmt.Sprint(i)}, all); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(size/1e6/time.Since(start).Seconds(), "MB/s")
		got, err := x.Size(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(got.Disk)/float64(got.Text), "disk/text")
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func madeSessions(size int) []iter.Seq2[Text, error] {
	c := newCorpus()
	var out []iter.Seq2[Text, error]
	for done := 0; done < size; {
		var all []Text
		for t := range c.session(20_000 + int(c.random.ExpFloat64()*130_000)) {
			all = append(all, t)
			done += len(t.Text)
		}
		out = append(out, texts(all...))
	}
	return out
}

// benchQueries are every kind of thing to look for.
func benchQueries() []struct {
	name    string
	pattern Pattern
} {
	c := newCorpus()
	return []struct {
		name    string
		pattern Pattern
	}{
		{"common", Pattern{Text: c.words[0]}},
		{"middling", Pattern{Text: c.words[3000]}},
		{"rare", Pattern{Text: plantedWord}},
		{"substring", Pattern{Text: plantedWord[3:9]}},
		{"cjk", Pattern{Text: "魑魅"}},
		{"cjk-common", Pattern{Text: string(c.han[3:5])}},
		{"symbol", Pattern{Text: "f(x)["}},
		{"quote", Pattern{Text: `"`}},
		{"phrase", Pattern{Text: c.words[40] + `[\s\x{85}\p{Z}]+` + c.words[300], Regexp: true}},
		{"none", Pattern{Text: "zzqqxxjj"}},
		{"case", Pattern{Text: strings.ToUpper(plantedWord), Case: true}},
		{"regexp", Pattern{Text: `xylo\w+um\b`, Regexp: true}},
		{"regexp-common", Pattern{Text: `if err := \w+\.ka`, Regexp: true}},
		{"regexp-blind", Pattern{Text: `[qx][yz]lo[a-g]`, Regexp: true}},
	}
}

// BenchmarkSearch looks for fifty sessions, with no block in the cache, and within a budget, which only the last query needs.
func BenchmarkSearch(b *testing.B) {
	for _, q := range benchQueries() {
		b.Run(q.name, func(b *testing.B) {
			x := benchIndex(b)
			if _, err := x.Search(b.Context(), Query{}, Options{Limit: 1}); err != nil {
				b.Fatal(err)
			}
			var took []time.Duration
			var found Found
			for b.Loop() {
				x.texts.clear()
				start := time.Now()
				var err error
				if found, err = x.Search(b.Context(), Query{All: []Pattern{q.pattern}}, Options{Limit: 50, Budget: 400 * time.Millisecond}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(len(found.Hits)), "hits")
			b.ReportMetric(float64(found.Scanned), "blocks")
		})
	}
}

// BenchmarkOpen is a start: the rows of 10,000 sessions with digests of 1 KB.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	x := openAt(b, dir, usual)
	for i := range 10_000 {
		if err := x.Touch(b.Context(), Session{ID: fmt.Sprintf("claudecode:%036d", i), Stamp: "1700000000.123456789/12345678/98765", Updated: time.Unix(int64(i), 0), Digest: make([]byte, 1000)}); err != nil {
			b.Fatal(err)
		}
	}
	if err := x.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		x := openAt(b, dir, usual)
		if rows, err := x.Sessions(b.Context()); err != nil || len(rows) != 10_000 {
			b.Fatal(len(rows), err)
		}
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTables is the same with the full-text tables of the database, over a tenth of the text: what they take, how long
// queries take, and how much of what is there they find.
func BenchmarkTables(b *testing.B) {
	const size = benchText / 10 << 20
	made := madeSessions(size)
	for _, table := range []string{"unicode61", "trigram"} {
		b.Run(table, func(b *testing.B) {
			dir := b.TempDir()
			db, err := connect(filepath.Join(dir, "tables.db"), 1, append(pragmas(), "journal_mode(WAL)"))
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			for b.Loop() {
				if _, err := db.Exec("DROP TABLE IF EXISTS texts"); err != nil {
					b.Fatal(err)
				}
				if _, err := db.Exec("CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='" + table + "')"); err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				fillTable(b, db, made)
				b.ReportMetric(size/1e6/time.Since(start).Seconds(), "MB/s")
			}
			info, err := os.Stat(filepath.Join(dir, "tables.db"))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(info.Size())/size, "disk/text")
			c := newCorpus()
			long := c.words[slices.IndexFunc(c.words, func(w string) bool { return len(w) > 7 })]
			for name, text := range map[string]string{"common": long, "substring": long[1:7], "cjk": string(c.han[3:5]), "symbol": "f(x)["} {
				start := time.Now()
				var n int
				if err := db.QueryRow("SELECT count(*) FROM (SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 50)", `"`+text+`"`).Scan(&n); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(time.Since(start).Microseconds())/1000, name+"-ms")
				b.ReportMetric(float64(n), name+"-hits")
			}
		})
	}
}
