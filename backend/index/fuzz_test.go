package index

import (
	"errors"
	"testing"
)

// FuzzPattern asks that any pattern is an error or finds what it means.
func FuzzPattern(f *testing.F) {
	for _, e := range expressions {
		f.Add(e, "foo ab-b xyz 漢字 f(x)", true, false)
	}
	for _, p := range pieces {
		f.Add(p, "a"+p+"b", false, true)
	}
	f.Add("(", "(", true, false)
	f.Add(`(?i-s:a.b)\Q(\E|x{2,}`, "a\nb(", true, true)
	f.Fuzz(func(t *testing.T, pattern, text string, isExpr, matchCase bool) {
		p := Pattern{Text: pattern, Regexp: isExpr, Case: matchCase}
		n, err := newNeedle(p)
		if err != nil {
			if !errors.Is(err, ErrPattern) {
				t.Fatal(err)
			}
			return
		}
		passage := passage{text: []byte(composed(text))}
		start, end, ok := n.in(t.Context(), &passage, nil)
		if !ok || start > end || end > len(passage.text) {
			t.Fatalf("found at %d to %d of %d", start, end, len(passage.text))
		}
		want := matches(p, text)
		if (start >= 0) != want {
			t.Fatalf("%q in %q: found at %d", pattern, text, start)
		}
		if !want {
			return
		}
		filter := newFilter(9)
		filter.add(passage.fold())
		if bits := filter.packed(); !mayMeet(n.need, bits) {
			t.Fatalf("%q in %q: the filter says no", pattern, text)
		}
		_, match, _ := found{passage.text, start, end}.excerpt()
		_, again, _ := found{passage.text, start, end}.kept().excerpt()
		if match != again {
			t.Fatalf("%q and %q", match, again)
		}
	})
}

func mayMeet(n *need, bits []byte) bool {
	if n == nil {
		return true
	}
	if n.literal != nil {
		return holdsAll(bits, hashesOf(n.literal))
	}
	for _, n := range n.all {
		if !mayMeet(n, bits) {
			return false
		}
	}
	for _, n := range n.any {
		if mayMeet(n, bits) {
			return true
		}
	}
	return len(n.any) == 0
}

// FuzzBlock asks that no bytes make a block panic.
func FuzzBlock(f *testing.F) {
	b := newBuilder(tiny)
	b.add(chunk{session: 1, seq: 2, line: 3, scope: Call, tool: "bash", text: []byte("a text that is longer than a block of the tiny shape is, by far")})
	b.flush()
	for _, block := range b.take() {
		f.Add(bodyOf(nil, 7, base{1, 2, 3}, block.body))
		f.Add(appendAbout(nil, &block.about))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, sealed := range [][]byte{data, seal(7, append([]byte(nil), data...))} {
			chunks, err := unpack(7, sealed)
			if err == nil && len(chunks) > len(data)*1000 {
				t.Fatal(len(chunks))
			}
			_, _ = readAbout(7, sealed)
		}
		_, _ = parsePlace(string(data))
	})
}
