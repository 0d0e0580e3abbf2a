package many

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ids draws such as agents give, and such as only somebody who means harm would: many of them much alike.
func ids() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[0-9a-f]{0,8}`), rapid.StringMatching(`[0-9a-fA-F]{1,3}`),
		rapid.StringMatching(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`),
		rapid.StringMatching(`[0-9a-fg]{8}-0000-0000-0000-00000000000[0-9a-gA]`),
		rapid.SampledFrom([]string{"", "0", "00", "\x00", "\x02\x00", strings.Repeat("a", longest), strings.Repeat("a", longest+1), strings.Repeat("b", 300)}),
		rapid.String(),
	)
}

// TestIDsAreAMap: whatever the ids are like, they have the numbers that a map has for them.
func TestIDsAreAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got IDs
		want := map[string]int{}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				id, n := ids().Draw(t, "id"), rapid.IntRange(-1<<31, 1<<31-1).Draw(t, "n")
				got.Put(id, n)
				want[id] = n
			},
			"clear": func(*rapid.T) {
				got.Clear()
				clear(want)
			},
			"": func(t *rapid.T) {
				if got.Len() != len(want) {
					t.Fatalf("%d ids, not %d", got.Len(), len(want))
				}
				id := ids().Draw(t, "asked")
				n, ok := got.Get(id)
				if m, there := want[id]; n != m || ok != there {
					t.Fatalf("%q is %d, %v, not %d, %v", id, n, ok, m, there)
				}
			},
		})
		for id, m := range want {
			if n, ok := got.Get(id); n != m || !ok {
				t.Fatalf("%q is %d, %v, not %d", id, n, ok, m)
			}
		}
	})
}

// TestIDsOfALongFile: there are all of them, in the memory that the package promises.
func TestIDsOfALongFile(t *testing.T) {
	const count, most = 120_000, 36 // bytes for one: 22 with its number, and up to 12 in the table
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var m IDs
	for i := range count {
		m.Put(uuid(i), i)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	for i := range count {
		if n, ok := m.Get(uuid(i)); n != i || !ok {
			t.Fatalf("%s is %d, %v", uuid(i), n, ok)
		}
	}
	if _, ok := m.Get(uuid(count)); ok || m.Len() != count {
		t.Fatalf("%d ids, and one that is not there: %v", m.Len(), ok)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > count*most {
		t.Errorf("%d bytes for an id, not %d", grown/count, most)
	}
}

func uuid(i int) string { return fmt.Sprintf("%08x-3c5f-4000-8000-%012x", i*2654435761%(1<<32), i) }

func TestListAndFew(t *testing.T) {
	var list List[int]
	for i := range 3*part + 7 {
		list.Add(i)
		*list.At(i) += i
	}
	for i := range list.Len() {
		if *list.At(i) != 2*i {
			t.Fatalf("%d at %d", *list.At(i), i)
		}
	}
	if list.Len() != 3*part+7 {
		t.Fatalf("%d in the list", list.Len())
	}
	var few Few[string]
	for _, word := range []string{"a", "b", "a", "", "b"} {
		if got := few.Value(few.Number(word)); got != word {
			t.Errorf("%q has the number of %q", word, got)
		}
	}
	if few.Number("") != 2 {
		t.Errorf("the third word has the number %d", few.Number(""))
	}
}

// TestAListIsASlice: whatever is added and cut, wherever that is within its parts.
func TestAListIsASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got List[int]
		var want []int
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				for n := range rapid.IntRange(1, part+1).Draw(t, "more") {
					got.Add(n)
					want = append(want, n)
				}
			},
			"cut": func(t *rapid.T) {
				n := rapid.IntRange(0, len(want)+1).Draw(t, "left")
				got.Cut(n)
				want = want[:min(n, len(want))]
			},
			"": func(t *rapid.T) {
				if got.Len() != len(want) {
					t.Fatalf("%d, not %d", got.Len(), len(want))
				}
				for i, v := range want {
					if *got.At(i) != v {
						t.Fatalf("%d at %d, not %d", *got.At(i), i, v)
					}
				}
			},
		})
	})
}
