package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/session"
)

func sizesOf(t *testing.T, b *Backend, id string, points int) Sizes {
	t.Helper()
	sizes, err := b.sizesWithin(t.Context(), id, points, newsDeadline)
	newsMust(t, err)
	if !sizes.Complete || sizes.SessionID != id {
		t.Fatalf("%+v", sizes)
	}
	return sizes
}

// pointSeqs are the seqs of the points.
func pointSeqs(sizes Sizes) []int64 {
	seqs := make([]int64, 0, len(sizes.Points))
	for _, p := range sizes.Points {
		seqs = append(seqs, p.Seq)
	}
	return seqs
}

// complaintsAt compares each number with what the context as of that record is.
func complaintsAt(b *Backend, id string, sizes *Sizes) (complaints []string) {
	is := func(what string, seq int64, size int) {
		seen, err := b.Context(id, ContextOptions{At: seq, WithoutMessages: true})
		if err != nil || seen.Tokens.Calibrated != size {
			complaints = append(complaints, fmt.Sprintf("%s at %d: %d, the context has %d, %v", what, seq, size, seen.Tokens.Calibrated, err))
		}
	}
	for i, p := range sizes.Points {
		is("point", p.Seq, p.Tokens)
		if i > 0 && p.Index <= sizes.Points[i-1].Index {
			complaints = append(complaints, fmt.Sprintf("the point at line %d comes behind that at %d", p.Index, sizes.Points[i-1].Index))
		}
	}
	for _, c := range sizes.Compactions {
		if c.After != nil {
			is("behind the compaction", c.Seq, *c.After)
		}
	}
	return complaints
}

func TestSizesTellTheContextAtEachPlace(t *testing.T) {
	b, id := open(t, story())
	sizes := sizesOf(t, b, id, 0)
	if diff := cmp.Diff([]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, pointSeqs(sizes)); diff != "" {
		t.Error(diff)
	}
	for _, complaint := range complaintsAt(b, id, &sizes) {
		t.Error(complaint)
	}
	now, err := b.Context(id, ContextOptions{})
	newsMust(t, err)
	if last := sizes.Points[len(sizes.Points)-1]; last.Tokens != now.Tokens.Calibrated || sizes.Window != now.Tokens.Window {
		t.Errorf("%+v of %d, now it is %+v", last, sizes.Window, now.Tokens)
	}
	type change struct {
		index         int
		seq           int64
		before, after int
	}
	var got []change
	for _, c := range sizes.Compactions {
		got = append(got, change{c.Index, c.Seq, *c.Before, *c.After})
	}
	p := sizes.Points
	want := []change{{3, 4, p[2].Tokens, p[3].Tokens}, {5, 6, p[4].Tokens, p[5].Tokens}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(change{})); diff != "" {
		t.Error(diff)
	}
}

func TestSizesAreSpreadAndBounded(t *testing.T) {
	var log strings.Builder
	for seq := 1; seq <= 300; seq++ {
		log.WriteString(said(seq, "user", "x"))
	}
	long := log.String()
	for _, c := range []struct {
		name   string
		log    string
		points int
		want   []int64
	}{
		{"nothing", "", 5, []int64{}},
		{"one record", said(1, "user", "x"), 5, []int64{1}},
		{"one place", long, 1, []int64{300}},
		{"two places", long, 2, []int64{1, 300}},
		{"four places", long, 4, []int64{1, 100, 200, 300}},
		{"a compaction between them", long + compactionLine(301, 300) + said(302, "user", "x"), 2, []int64{1, 300, 301, 302}},
		{"a compaction before everything", compactionLine(1, 1) + said(2, "user", "x"), 1, []int64{1, 2}},
		{"a seq that comes again", said(1, "user", "x") + said(2, "user", "y") + said(2, "user", "z"), 5, []int64{1, 2}},
		{"seqs that begin anew", said(7, "user", "x") + said(1, "user", "y") + said(2, "user", "z"), 5, []int64{1, 2}},
		{"damage alone", "{\"torn\n", 5, []int64{}},
		{"no newline at the end", strings.TrimSuffix(said(1, "user", "x")+said(2, "user", "y"), "\n"), 5, []int64{1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, id := open(t, c.log)
			sizes := sizesOf(t, b, id, c.points)
			if diff := cmp.Diff(c.want, pointSeqs(sizes)); diff != "" {
				t.Error(diff)
			}
			for _, complaint := range complaintsAt(b, id, &sizes) {
				t.Error(complaint)
			}
		})
	}
	b, id := open(t, long)
	if n := len(sizesOf(t, b, id, 100_000).Points); n != sizesMost {
		t.Errorf("%d points", n)
	}
	if n := len(sizesOf(t, b, id, 0).Points); n != sizesDefault {
		t.Errorf("%d points", n)
	}
}

func TestSizesAroundTheLastCompactions(t *testing.T) {
	var log strings.Builder
	for seq := 1; seq <= 4*sizesAround; seq += 2 {
		log.WriteString(said(seq, "user", "x") + compactionLine(seq+1, seq))
	}
	b, id := open(t, log.String())
	sizes := sizesOf(t, b, id, 2)
	if n := len(sizes.Compactions); n != sizesAround || sizes.Compactions[0].Seq != 2*sizesAround+2 || sizes.Compactions[n-1].Seq != 4*sizesAround {
		t.Fatalf("%d compactions, %+v", n, sizes.Compactions)
	}
	for _, c := range sizes.Compactions {
		if c.Before == nil || c.After == nil {
			t.Errorf("%+v", c)
		}
	}
	if n := len(sizes.Points); n != 2*sizesAround+1 { // the last is a compaction
		t.Errorf("%d points", n)
	}
}

// What was not told in time is left out, and nothing is made up for it.
func TestSizesWithoutTime(t *testing.T) {
	b, id := open(t, story())
	sizes, err := b.sizesWithin(t.Context(), id, 5, 0)
	newsMust(t, err)
	if sizes.Complete || sizes.Points == nil || len(sizes.Points) != 0 || sizes.Window == 0 {
		t.Errorf("%+v", sizes)
	}
	for _, c := range sizes.Compactions {
		if c.Before != nil || c.After != nil {
			t.Errorf("%+v", c)
		}
	}
}

func TestSizesEndWithTheirContext(t *testing.T) {
	b, id := open(t, story())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if sizes, err := b.Sizes(ctx, id, 5); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", sizes, err)
	}
	if _, err := b.Sizes(t.Context(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", 5); !errors.Is(err, session.ErrNotFound) {
		t.Error(err)
	}
}

func TestSizesOfTheirs(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	sizes := sizesOf(t, b, "pi:s1", 0)
	if len(sizes.Points) < 6 || len(sizes.Compactions) != 1 || sizes.Compactions[0].Before == nil {
		t.Errorf("%+v", sizes)
	}
	for _, complaint := range complaintsAt(b, "pi:s1", &sizes) {
		t.Error(complaint)
	}
}

// A first look at a large log takes a damaged line for a record: no size is told of it.
func TestSizesOfALogThatWasOnlyLookedAt(t *testing.T) {
	log, damaged := largeLog()
	b, id := open(t, log)
	file, err := b.store.OpenLog(id)
	newsMust(t, err)
	defer func() { newsMust(t, file.Close()) }()
	c := &cached{place: place{store: b.store, id: id}}
	info, err := c.identify(file)
	newsMust(t, err)
	newsMust(t, c.look(file, info.Size(), ""))
	lines := newLightLog()
	lines.reads(file, c.index.Size)
	s := sizer{log: lines, index: &c.index, known: map[int]int{}}
	newsMust(t, s.measure(damaged))
	newsMust(t, s.measure(damaged+1))
	if points := s.points(); len(points) != 1 || points[0].Index != damaged+1 {
		t.Errorf("%+v", points)
	}
}

// Who asks again gets further: each answer begins with what the one before has found out.
func TestSizesComeFurtherEachTime(t *testing.T) {
	var log strings.Builder
	for seq := 1; seq <= 12; seq++ {
		log.WriteString(said(seq, "user", strings.Repeat("x", 64<<10)))
	}
	b, id := open(t, log.String())
	v, err := b.glance(id)
	newsMust(t, err)
	defer v.close()
	lines := newLightLog()
	var known []int
	for range 4 {
		lines.reads(&stopping{v.log, 8}, v.index.Size)
		s := sizer{log: lines, index: &v.index, known: map[int]int{}}
		if err := s.measureAll(t.Context(), placesIn(&v.index, 5).order, newsDeadline); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		known = append(known, len(s.known))
	}
	if known[0] != 0 || known[len(known)-1] != 5 {
		t.Errorf("%v sizes of 5", known)
	}
}

// stopping can be read so often.
type stopping struct {
	io.ReaderAt
	left int
}

func (s *stopping) ReadAt(p []byte, off int64) (int, error) {
	if s.left--; s.left < 0 {
		return 0, context.DeadlineExceeded
	}
	return s.ReaderAt.ReadAt(p, off)
}

func TestSizesAreThoseOfTheContext(t *testing.T) {
	t.Parallel()
	b, err := Open(Options{Home: t.TempDir()})
	newsMust(t, err)
	t.Cleanup(b.Close)
	rapid.Check(t, func(t *rapid.T) {
		log := randomLog(t)
		m, err := b.store.Import(session.New{}, []byte(log))
		if err != nil {
			t.Fatal(err)
		}
		sizes, err := b.sizesWithin(context.Background(), m.ID, rapid.IntRange(1, 30).Draw(t, "points"), newsDeadline)
		if err != nil || !sizes.Complete {
			t.Fatalf("%+v, %v", sizes, err)
		}
		for _, complaint := range complaintsAt(b, m.ID, &sizes) {
			t.Error(complaint)
		}
		outline, err := b.Outline(m.ID)
		if err != nil || len(outline.Compactions) != len(sizes.Compactions) {
			t.Fatalf("%d compactions of %d, %v", len(sizes.Compactions), len(outline.Compactions), err)
		}
	})
}

// randomLog has messages, compactions, reverts, branches, prunes, usage and damage in any order; seqs leave gaps, and now and then repeat.
func randomLog(t *rapid.T) string {
	var log strings.Builder
	seq := 0
	for range rapid.IntRange(0, 40).Draw(t, "lines") {
		seq += rapid.SampledFrom([]int{1, 1, 1, 1, 1, 2, 0}).Draw(t, "step")
		seq = max(seq, 1)
		earlier := rapid.IntRange(0, seq).Draw(t, "earlier")
		log.WriteString(randomLine(t, seq, earlier))
	}
	return log.String()
}

func randomLine(t *rapid.T, seq, earlier int) string {
	text := strings.Repeat("word ", rapid.IntRange(0, 60).Draw(t, "words"))
	overlay := func(kind, more string) string {
		return fmt.Sprintf(`{"recordType":"%s","schemaVersion":2,"seq":%d,%s}`+"\n", kind, seq, more)
	}
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return compactionLine(seq, earlier)
	case 1:
		return overlay("revert", fmt.Sprintf(`"targetSeq":%d`, earlier))
	case 2:
		return overlay("branch", fmt.Sprintf(`"fromSeq":%d,"summary":"%s"`, earlier, text))
	case 3:
		return overlay("prune", fmt.Sprintf(`"seqs":[%d],"tokensFreed":1`, earlier))
	case 4:
		return "{\"torn\n"
	case 5:
		return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}}],"usage":{"input":%d,"output":3}}`+"\n", seq, len(text))
	default:
		return said(seq, rapid.SampledFrom([]string{"user", "assistant", "toolResult"}).Draw(t, "role"), text)
	}
}

func TestPlacesComeCoarseToFine(t *testing.T) {
	lines := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	got := inTurn(coarseToFine(lines), []around{{line: 2, before: 1, at: 2}, {line: 7, before: -1, at: 7}})
	if diff := cmp.Diff([]int{8, 0, 7, 4, 1, 2, 6, 3, 5}, got); diff != "" {
		t.Error(diff)
	}
	rapid.Check(t, func(t *rapid.T) {
		var all namedLines
		for i := range rapid.IntRange(0, 300).Draw(t, "lines") {
			all.backward.Add(int32(-i))
		}
		lines := spread(&all, rapid.IntRange(1, 200).Draw(t, "n"))
		if n := len(lines); n > 1 && (lines[0] != all.at(0) || lines[n-1] != all.at(all.len()-1)) || !slices.IsSorted(lines) {
			t.Errorf("%v of %d lines", lines, all.len())
		}
		for i := range lines {
			lines[i] = i
		}
		got := coarseToFine(lines)
		if len(got) > 0 && got[0] != len(lines)-1 {
			t.Errorf("%d is first", got[0])
		}
		if got = slices.Sorted(slices.Values(got)); !slices.Equal(got, lines) {
			t.Errorf("%v of %v", got, lines)
		}
	})
}

// TestSizesOfALongContext: where it takes more records than are to be held, none is told, and none of them is kept.
func TestSizesOfALongContext(t *testing.T) {
	defer func(before int) { sizingMost = before }(sizingMost)
	sizingMost = 100
	b := abroad(t, t.TempDir())
	id := manyShort(t, b, 300, 1)
	sizes, err := b.Sizes(t.Context(), id, 0)
	if err != nil || sizes.Complete || len(sizes.Points) > 0 || len(b.sizing.log.behind) > 0 {
		t.Errorf("%+v, %v", sizes, err)
	}
	sizingMost = 1000
	if sizes, err = b.Sizes(t.Context(), id, 0); err != nil || !sizes.Complete || len(sizes.Points) == 0 {
		t.Errorf("%+v, %v", sizes, err)
	}
}

// TestSizesGetFurther: where all of them together take more records than are to be held, each answer tells more, and the last tells what one
// would that may hold them all.
func TestSizesGetFurther(t *testing.T) {
	const messages, each = 300, 30
	b := abroad(t, t.TempDir())
	s, err := b.New(NewSession{})
	newsMust(t, err)
	var log strings.Builder
	for i := range messages {
		const head = `{"seq":%d,"schemaVersion":1,"timestamp":"2026-01-02T10:00:00Z","recordType":`
		if i%each == each-1 {
			fmt.Fprintf(&log, head+`"compaction","firstKeptSeq":%d,"summary":"s","tokensBefore":9}`+"\n", i+1, i)
		} else {
			fmt.Fprintf(&log, head+`"message","role":"user","content":[{"type":"text","text":"words %d"}]}`+"\n", i+1, i)
		}
	}
	newsMust(t, os.WriteFile(filepath.Clean(b.store.LogPath(s.ID)), []byte(log.String()), 0o600))
	want := sizesOf(t, b, s.ID, 0)
	defer func(before int) { sizingMost = before }(sizingMost)
	sizingMost = 2 * each
	b.sizing = sizing{}
	var got Sizes
	for !got.Complete {
		before := len(got.Points)
		got, err = b.sizesWithin(t.Context(), s.ID, 0, newsDeadline)
		newsMust(t, err)
		if len(got.Points) <= before {
			t.Fatalf("%d of %d places, and no more", before, len(want.Points))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
