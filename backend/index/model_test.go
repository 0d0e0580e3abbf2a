package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// tiny makes everything happen with little text: blocks of a few words, sheets of a few blocks.
var tiny = shape{block: 48, overlap: 32, log: 9, columns: 6, small: 4, memory: 600}

func texts(all ...Text) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		for _, t := range all {
			if !yield(t, nil) {
				return
			}
		}
	}
}

func openAt(t testing.TB, dir string, s shape) *Index {
	t.Helper()
	x, err := open(dir, OpenOptions{Warn: func(err error) { t.Log(err) }}, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// model is the index as a map.
type model map[string]*modelSession

type modelSession struct {
	Session
	texts []Text
	// trial is what may be taken back: the texts from a place on, and the pieces.
	trial      *Trial
	at, pieces int
}

// live are the texts of a session with their numbers: but for the last ones, names are dead.
func (m *modelSession) live() map[int]Text {
	out := map[int]Text{}
	for n, t := range m.texts {
		if t.Line != dead && t.Line != takenBack {
			out[n] = t
		}
	}
	return out
}

const dead, takenBack = -99, -98

// takeBack takes back what was tried last, and all names.
func (m *modelSession) takeBack() {
	for i := range m.texts {
		if m.texts[i].Scope == Name && m.texts[i].Line != takenBack {
			m.texts[i].Line = dead
		}
		if i >= m.at {
			m.texts[i].Line = takenBack
		}
	}
	m.Pieces = m.Pieces[:m.pieces]
}

func (m *modelSession) append(more []Text) {
	if slices.ContainsFunc(more, func(t Text) bool { return t.Scope == Name }) {
		for i := range m.texts {
			if m.texts[i].Scope == Name && m.texts[i].Line != takenBack {
				m.texts[i].Line = dead
			}
		}
	}
	m.texts = append(m.texts, said(more)...)
}

// said are those of texts that are there to be found: a name of nothing is not.
func said(all []Text) []Text {
	return slices.DeleteFunc(slices.Clone(all), func(t Text) bool { return t.Scope == Name && t.Text == "" })
}

// matches is what a pattern means: an expression over the composed text.
func matches(p Pattern, text string) bool {
	expr := composed(p.Text)
	if !p.Regexp {
		expr = regexp.QuoteMeta(expr)
	}
	if !p.Case {
		expr = "(?i)" + expr
	}
	return regexp.MustCompile(expr).MatchString(composed(text))
}

func (q Query) matches(id string, t Text) bool {
	if q.Scopes != nil && !slices.Contains(q.Scopes, t.Scope) || q.Tools != nil && !slices.Contains(q.Tools, t.Tool) {
		return false
	}
	if q.Keep != nil && !q.Keep(id) || q.KeepText != nil && !q.KeepText(id, t.Line, t.Part, t.Time) {
		return false
	}
	for _, p := range q.All {
		if !matches(p, t.Text) {
			return false
		}
	}
	for _, p := range q.None {
		if matches(p, t.Text) {
			return false
		}
	}
	return true
}

// expected is what a search is to find: the best of each session by its line, and the counts.
func (m model) expected(q Query) (best []string, counts map[string]int, scopes map[Scope]int) {
	best, counts, scopes = []string{}, map[string]int{}, map[Scope]int{}
	sessions := make([]*modelSession, 0, len(m))
	for _, s := range m {
		sessions = append(sessions, s)
	}
	slices.SortFunc(sessions, func(a, b *modelSession) int {
		if c := b.Updated.Compare(a.Updated); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	for _, s := range sessions {
		at, found := 0, Text{}
		for n, t := range s.live() {
			if !q.matches(s.ID, t) {
				continue
			}
			counts[s.ID]++
			scopes[t.Scope]++
			if c := int(ranks[t.Scope]) - int(ranks[found.Scope]); counts[s.ID] == 1 || c < 0 || c == 0 && n > at {
				at, found = n, t
			}
		}
		if counts[s.ID] > 0 {
			best = append(best, fmt.Sprintf("%s %d %s", s.ID, found.Seq, found.Scope))
		}
	}
	return best, counts, scopes
}

func names(hits []Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s %d %s", h.ID, h.Seq, h.Scope))
	}
	return out
}

// TestSearchIsTrue changes an index at random, and asks of it what a look at every text would find.
func TestSearchIsTrue(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		dir := tempDir(t)
		x, err := open(dir, OpenOptions{Warn: func(err error) { t.Fatal(err) }}, tiny)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = x.Close() }()
		m := model{}
		clock, seq := 0, int64(0)
		some := func(t *rapid.T) []Text {
			all := rapid.SliceOfN(textOf, 0, 8).Draw(t, "texts")
			for i := range all {
				seq++
				all[i].Seq, all[i].Line = seq, int(seq)
				all[i].Time = time.Unix(seq, 0).UTC()
			}
			return all
		}
		row := func(t *rapid.T) Session {
			clock++
			return Session{
				ID: rapid.SampledFrom([]string{"s1", "s2", "s3", "s4", "s5"}).Draw(t, "id"), Stamp: fmt.Sprint(clock), Offset: int64(clock),
				Updated: time.Unix(int64(rapid.IntRange(0, 20).Draw(t, "updated")), 5).UTC(), Digest: []byte(fmt.Sprint("digest", clock)),
				Pieces: [][]byte{nil, {1}, fmt.Append(nil, "piece", clock)}[:rapid.IntRange(0, 3).Draw(t, "pieces")],
			}
		}
		actions := map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				s, all := row(t), some(t)
				if err := x.Put(ctx, s, texts(all...)); err != nil {
					t.Fatal(err)
				}
				m[s.ID] = &modelSession{Session: s, texts: said(all)}
			},
			"append": func(t *rapid.T) {
				s, all := row(t), some(t)
				err := x.Append(ctx, s, texts(all...))
				before := m[s.ID]
				if before == nil {
					if err == nil {
						t.Fatal("appended to nothing")
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				s.Pieces = slices.Concat(before.Pieces, s.Pieces)
				before.Session, before.at = s, -1
				before.append(all)
			},
			"try": func(t *rapid.T) {
				s, all := row(t), some(t)
				before, trial := m[s.ID], rapid.Bool().Draw(t, "trial")
				if before == nil {
					return
				}
				added, err := x.Try(ctx, s, before.trial, trial, texts(all...))
				if before.trial != nil && before.at < 0 {
					if !errors.Is(err, ErrChanged) {
						t.Fatalf("taken back what others had gone on from: %v", err)
					}
					before.trial = nil
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if before.trial != nil {
					before.takeBack()
				}
				if before.trial = nil; trial {
					before.trial, before.at, before.pieces = &added, len(before.texts), len(before.Pieces)
				}
				s.Pieces = slices.Concat(before.Pieces, s.Pieces)
				before.Session = s
				before.append(all)
			},
			"touch": func(t *rapid.T) {
				s := row(t)
				if err := x.Touch(ctx, s); err != nil {
					t.Fatal(err)
				}
				if m[s.ID] == nil {
					m[s.ID] = &modelSession{}
				}
				s.Pieces = m[s.ID].Pieces
				m[s.ID].Session, m[s.ID].at = s, -1
			},
			"remove": func(t *rapid.T) {
				id := row(t).ID
				if err := x.Remove(ctx, id, "none"); err != nil {
					t.Fatal(err)
				}
				delete(m, id)
			},
			"open": func(t *rapid.T) {
				if err := x.Close(); err != nil {
					t.Fatal(err)
				}
				if x, err = open(dir, OpenOptions{Warn: func(err error) { t.Fatal(err) }}, tiny); err != nil {
					t.Fatal(err)
				}
				for _, one := range m {
					one.at = -1 // what was tried before is taken back no more
				}
			},
		}
		order := []string{"put", "put", "append", "append", "try", "try", "try", "touch", "remove", "open"}
		for range 2 {
			for _, name := range rapid.SliceOfN(rapid.SampledFrom(order), 3, 7).Draw(t, "actions") {
				actions[name](t)
			}
			checkQuery(t, x, m, queryOf.Draw(t, "query"))
			checkOwn(t, x, m)
		}
		checkRows(t, x, m)
	})
}

// checkOwn looks for what is there: a part of some text of each session.
func checkOwn(t *rapid.T, x *Index, m model) {
	for _, id := range []string{"s1", "s2", "s3", "s4", "s5"} {
		if m[id] == nil || len(m[id].texts) == 0 {
			continue
		}
		text := []rune(composed(rapid.SampledFrom(m[id].texts).Draw(t, "own").Text))
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		q := Query{All: []Pattern{{Text: string(text[from:min(len(text), from+9)])}}}
		_, counts, _ := m.expected(q)
		found, err := x.Search(context.Background(), q, Options{Count: true})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(counts, found.Counts); diff != "" {
			t.Fatalf("counts of %+v: %s", q, diff)
		}
	}
}

func checkQuery(t *rapid.T, x *Index, m model, q Query) {
	ctx := context.Background()
	best, counts, scopes := m.expected(q)
	found, err := x.Search(ctx, q, Options{Count: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(best, names(found.Hits)); diff != "" {
		t.Fatalf("hits of %+v: %s", q, diff)
	}
	if diff := cmp.Diff(counts, found.Counts); diff != "" {
		t.Fatalf("counts of %+v: %s", q, diff)
	}
	if diff := cmp.Diff(scopes, found.Scopes); diff != "" || !found.Counted || !found.Complete {
		t.Fatalf("scopes of %+v: %s", q, diff)
	}
	var paged []string
	for cursor, rounds := "", 0; ; rounds++ {
		opts := Options{Limit: 2, Cursor: cursor, Budget: time.Duration(rapid.SampledFrom([]int{0, 1, int(time.Hour)}).Draw(t, "budget"))}
		found, err := x.Search(ctx, q, opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range names(found.Hits) {
			if opts.Budget == 1 { // not all was looked at: the session is right, another hit may be better
				h = h[:2]
			}
			paged = append(paged, h)
		}
		if cursor = found.Cursor; found.Complete != (cursor == "") || rounds > 1000 {
			t.Fatalf("complete %v, cursor %q after %d rounds", found.Complete, cursor, rounds)
		}
		if cursor == "" {
			break
		}
	}
	if len(paged) != len(best) {
		t.Fatalf("in pages: %q, not %q", paged, best)
	}
	for i := range best {
		if !strings.HasPrefix(best[i], paged[i]) {
			t.Fatalf("in pages: %q, not %q", paged, best)
		}
	}
	checkSession(t, x, m, q)
}

func checkSession(t *rapid.T, x *Index, m model, q Query) {
	want := []string{}
	if m["s2"] != nil {
		live := m["s2"].live()
		for n := range m["s2"].texts {
			if text, ok := live[n]; ok && q.matches("s2", text) {
				want = append(want, fmt.Sprintf("s2 %d %s", text.Seq, text.Scope))
			}
		}
	}
	for _, limit := range []int{0, 2} {
		got := []string{}
		for cursor := ""; ; {
			found, err := x.Search(context.Background(), q, Options{Session: "s2", Limit: limit, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, names(found.Hits)...)
			if cursor = found.Cursor; cursor == "" {
				break
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("hits of %+v in one session, %d at a time: %s", q, limit, diff)
		}
	}
}

func checkRows(t *rapid.T, x *Index, m model) {
	got, err := x.Sessions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]Session{}
	for _, s := range got {
		if s.Revision == 0 {
			t.Fatal("a row without revision")
		}
		s.Revision = 0
		rows[s.ID] = s
	}
	want := map[string]Session{}
	size := int64(0)
	for id, s := range m {
		want[id] = s.Session
		if whole, there, err := x.Whole(context.Background(), id); err != nil || !there || !reflect.DeepEqual(whole.Pieces, rows[id].Pieces) {
			t.Fatalf("%s: %+v, %v", id, whole, err)
		}
		for _, t := range s.texts {
			if t.Line == takenBack {
				continue
			}
			size += int64(len(composed(t.Text)))
		}
	}
	if diff := cmp.Diff(want, rows, cmpopts.EquateEmpty()); diff != "" {
		t.Fatal(diff)
	}
	if got, err := x.Size(context.Background()); err != nil || got.Text != size || got.Sessions != len(m) {
		t.Fatalf("size %+v, %v; not %d", got, err, size)
	}
}
