package index

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestFoldIsThatOfExpressions(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		want := foldRune(r)
		if r < 0x80 {
			want = unicode.ToLower(r)
		}
		got, even := appendFolded(nil, []byte(string(r)))
		if string(got) != string(want) || even != (len(got) == len(string(r))) {
			t.Fatalf("%q folds to %q, not %q", r, got, want)
		}
		if next := unicode.SimpleFold(r); foldRune(next) != foldRune(r) && unicode.ToLower(next) != unicode.ToLower(r) {
			t.Fatalf("%q and %q differ", r, next)
		}
	}
}

func TestPlainIsComposed(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		for _, s := range []string{string(r), "a" + string(r), "漢" + string(r), "12345678" + string(r)} {
			if plain(s) && (r == '\uFFFD' || strings.ToValidUTF8(s, "") != s || norm.NFC.String(s) != s) {
				t.Fatalf("%q is not composed", s)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		runes := rapid.OneOf(rapid.RuneFrom(nil, unicode.Hangul, unicode.Mn, unicode.Latin, unicode.Hiragana), rapid.SampledFrom([]rune("e\u0301\u1100\u1161\u11a8가か\u3099漢")))
		if s := string(rapid.SliceOf(runes).Draw(t, "runes")); plain(s) && norm.NFC.String(s) != s {
			t.Fatalf("%q is not composed", s)
		}
	})
	for _, s := range []string{"\xff", "a\xe4\xb8", "\xe4\xb8a", "\xef\xbc"} {
		if plain(s) {
			t.Fatalf("%q is taken for text", s)
		}
	}
}

// TestFarTimes: a time that no number of billionths is stays before and after all others.
func TestFarTimes(t *testing.T) {
	day := func(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }
	var before time.Time
	for _, year := range []int{-1, 1700, 1969, 2026, 2261, 9999} {
		at := fromNano(toNano(day(year)))
		if !before.Before(at) && year > 0 || at.IsZero() {
			t.Errorf("%d is kept as %v, after %v", year, at, before)
		}
		before = at
		texts := []chunk{{time: day(year)}, {time: day(2026)}, {time: day(year)}}
		read, err := readBlock(appendHead(nil, texts))
		if err != nil || !read[0].time.Equal(at) || !read[1].time.Equal(day(2026)) || !read[2].time.Equal(at) {
			t.Errorf("%d: %+v, %v", year, read, err)
		}
	}
	if !fromNano(toNano(time.Time{})).IsZero() {
		t.Error("no time is one")
	}
}

func TestSheetHasWhatFiltersHave(t *testing.T) {
	const log = 12
	random := rand.New(rand.NewPCG(3, 4))
	var filters [][]byte
	for i := range 101 {
		f := newFilter(log)
		for range 20 << (i % 7) {
			f.set(random.Uint32())
		}
		filters = append(filters, f.packed())
	}
	filters = append(filters, []byte{0x5A}, []byte{0x81, 0x3C})
	planes := map[int64][]byte{}
	for n, plane := range planesOf(filters, log) {
		planes[n] = bytes.Clone(plane)
	}
	for range 20_000 {
		h := random.Uint32()
		plane, at := planeOf(h, log)
		row := planes[plane][at : at+rowBytes]
		for col, f := range filters {
			if got := row[col/8]&(1<<(col%8)) != 0; got != mayHold(f, h) {
				t.Fatalf("hash %x of column %d: %v", h, col, got)
			}
		}
	}
}

// TestFewFalse asks that words which are hardly anywhere let few blocks through.
func TestFewFalse(t *testing.T) {
	c := newCorpus()
	b := newBuilder(usual)
	for text := range c.session(2 << 20) {
		b.add(chunk{text: []byte(composed(text.Text))})
	}
	b.flush()
	blocks := b.take()
	through, asked := 0, 0
	for i := range 200 {
		w := fmt.Sprintf("%c%c%c%c%c", 'a'+i%26, 'q', 'a'+i/26, "xkv"[i%3], 'a'+i*7%26)
		for _, block := range blocks {
			asked++
			if holdsAll(block.bits, hashesOf([]byte(w))) {
				through++
			}
		}
	}
	if through*50 > asked {
		t.Fatalf("%d of %d blocks", through, asked)
	}
}

func TestExcerpt(t *testing.T) {
	for _, c := range []struct{ text, match, want string }{
		{"a match", "match", "a |match|"},
		{"line\n\n\tone  match\nthere", "match", "line one |match| there"},
		{"前\u3000中\u00a0後", "中", "前 |中| 後"},
		{strings.Repeat("漢", 100) + "x" + strings.Repeat("é", 100), "x", strings.Repeat("漢", 80) + "|x|" + strings.Repeat("é", 80)},
		{"x" + strings.Repeat(" \n\tab", 40), "x", "|x|" + strings.Repeat(" ab", 26) + " a"},
		{strings.Repeat("m", 1000), strings.Repeat("m", 1000), "|" + strings.Repeat("m", 300) + "|" + strings.Repeat("m", 80)},
	} {
		start := strings.Index(c.text, c.match)
		f := found{[]byte(c.text), start, start + len(c.match)}
		for _, f := range []found{f, f.kept()} {
			before, match, after := f.excerpt()
			if got := before + "|" + match + "|" + after; got != c.want {
				t.Errorf("%q, not %q", got, c.want)
			}
		}
	}
}

func TestPatternErrors(t *testing.T) {
	x := openAt(t, t.TempDir(), tiny)
	if _, err := x.Search(t.Context(), Query{All: []Pattern{{Text: "(", Regexp: true}}}, Options{}); err == nil || !strings.Contains(err.Error(), "missing closing )") {
		t.Error(err)
	}
	for _, cursor := range []string{"x", "eA", place{}.String()[1:]} {
		if _, err := x.Search(t.Context(), Query{}, Options{Cursor: cursor}); err == nil {
			t.Errorf("%q is a cursor", cursor)
		}
	}
}

// TestLongText looks for what stands across the pieces of a long text, and for words that are far apart in it.
func TestLongText(t *testing.T) {
	long := strings.Repeat("filler words here ", 40)
	text := "begin " + long + "ACROSS" + long + " end"
	for _, block := range []int{48, 57, 64, 100} {
		s := tiny
		s.block = block
		x := openAt(t, t.TempDir(), s)
		if err := x.Put(t.Context(), Session{ID: "a", Updated: time.Unix(1, 0)}, texts(Text{Text: "before"}, Text{Text: text, Line: 1}, Text{Text: "after", Line: 2})); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			query Query
			want  []int
		}{
			{Query{All: []Pattern{{Text: "across"}}}, []int{1}},
			{Query{All: []Pattern{{Text: "begin"}, {Text: "end"}}}, []int{1}},
			{Query{All: []Pattern{{Text: `^begin .*across.* end$`, Regexp: true}}}, []int{1}},
			{Query{All: []Pattern{{Text: "e"}}, None: []Pattern{{Text: "across"}}}, []int{0, 2}},
			{Query{All: []Pattern{{Text: long + " across"}}}, nil},
			{Query{All: []Pattern{{Text: long + "across" + long[:90]}}}, []int{1}},
			{Query{All: []Pattern{{Text: `^filler`, Regexp: true}}}, nil},
		} {
			found, err := x.Search(t.Context(), c.query, Options{Session: "a"})
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, h := range found.Hits {
				got = append(got, h.Line)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("blocks of %d: %+v: lines %v, not %v", block, c.query, got, c.want)
			}
		}
	}
}
