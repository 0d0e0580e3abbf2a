package many

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/drawn"
	"palimpsest/backend/keep"
	"palimpsest/backend/siphash"
)

// TestKept: lists, texts and ids that were kept are what they were, whatever of them is in files, and go on as they would have.
func TestKept(t *testing.T) {
	TestOnlyLittle(t)
	drawn.Few(t, func(t *rapid.T) {
		var list, list2 List[uint64]
		var texts, texts2 Texts
		var ids, ids2 IDs
		n := rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(0, 3*part)).Draw(t, "n")
		add := func(i int, list *List[uint64], texts *Texts, ids *IDs) {
			list.Add(uint64(i))
			texts.Add(fmt.Sprint("text ", i))
			ids.Put(fmt.Sprint(i%(2*part)), i)
		}
		for i := range n {
			add(i, &list, &texts, &ids)
		}
		list.Cut(rapid.IntRange(0, n).Draw(t, "cut"))
		var to bytes.Buffer
		if err := keep.Write(&to, "v", &list, &texts, &ids); err != nil {
			t.Fatal(err)
		}
		siphash.TestOnlyAnother()
		if err := keep.Read(&to, "v", &list2, &texts2, &ids2); err != nil {
			t.Fatal(err)
		}
		for i := range rapid.IntRange(0, part).Draw(t, "more") {
			add(n+i, &list, &texts, &ids)
			add(n+i, &list2, &texts2, &ids2)
		}
		if list.Len() != list2.Len() || texts.Len() != texts2.Len() || ids.Len() != ids2.Len() {
			t.Fatalf("%d, %d, %d of %d, %d, %d", list2.Len(), texts2.Len(), ids2.Len(), list.Len(), texts.Len(), ids.Len())
		}
		for i := range list.Len() {
			if list.At(i) != list2.At(i) {
				t.Fatalf("at %d there is %d, not %d", i, list2.At(i), list.At(i))
			}
		}
		for i := range texts.Len() {
			if texts.At(i) != texts2.At(i) {
				t.Fatalf("at %d there is %q, not %q", i, texts2.At(i), texts.At(i))
			}
		}
		for i := range 2*part + 1 {
			a, is := ids.Get(fmt.Sprint(i))
			if b, also := ids2.Get(fmt.Sprint(i)); a != b || is != also {
				t.Fatalf("%d is %d %v, not %d %v", i, b, also, a, is)
			}
		}
	})
}
