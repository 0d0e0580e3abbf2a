//go:build !race

package many

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// noRoom has no file made from the one with a number on.
func noRoom(t *testing.T, from int) {
	before := newFile
	t.Cleanup(func() { newFile = before })
	made := 0
	newFile = func() (*os.File, error) {
		if made++; made > from {
			return nil, errors.New("no room")
		}
		return before()
	}
}

// ids draws such as agents give, and such as only somebody who means harm would: many of them much alike.
func ids() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[0-9a-f]{0,8}`), rapid.StringMatching(`[0-9a-fA-F]{1,3}`),
		rapid.StringMatching(`[0-9a-fg]{8}-0000-0000-0000-00000000000[0-9a-gA]`),
		rapid.SampledFrom([]string{"", "0", "00", "\x00", "\x02\x00", strings.Repeat("b", 300)}),
		rapid.String(),
	)
}

// TestIDsAreAMap: whatever the ids are like, they have the numbers that a map has for them.
func TestIDsAreAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got IDs
		want := map[string]int{}
		var before map[string]int // nil if nothing is tried
		t.Repeat(map[string]func(*rapid.T){
			"try": func(*rapid.T) {
				if before == nil {
					got.Try()
					before = maps.Clone(want)
				}
			},
			"back": func(*rapid.T) {
				if before != nil {
					got.Back()
					want, before = before, nil
				}
			},
			"put": func(t *rapid.T) {
				id, n := ids().Draw(t, "id"), rapid.IntRange(-1<<31, 1<<31-1).Draw(t, "n")
				got.Put(id, n)
				want[id] = n
			},
			"clear": func(*rapid.T) {
				got.Clear()
				clear(want)
			},
			"flush": func(*rapid.T) {
				if got.taken > 0 && before == nil && !got.flush() {
					t.Fatal("no room for a run")
				}
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

// TestManyIDs: more than a table holds, old ones among them that get another number, with room for files, for a few and for none.
func TestManyIDs(t *testing.T) {
	for _, files := range []int{1 << 10, 0} {
		t.Run(fmt.Sprint(files, " files"), func(t *testing.T) {
			noRoom(t, files)
			random := rand.New(rand.NewPCG(1, uint64(files)))
			var got IDs
			want := map[string]int{}
			for range 2 * tableMost {
				id, n := uuid(random.IntN(2*tableMost)), random.IntN(1<<30)
				got.Put(id, n)
				want[id] = n
			}
			if (len(got.runs) > 0) != (files > 0) {
				t.Fatalf("%d runs", len(got.runs))
			}
			if got.Len() != len(want) {
				t.Fatalf("%d ids, not %d", got.Len(), len(want))
			}
			for i := range 2 * tableMost {
				n, ok := got.Get(uuid(i))
				if m, there := want[uuid(i)]; n != m || ok != there {
					t.Fatalf("%s is %d, %v, not %d, %v", uuid(i), n, ok, m, there)
				}
			}
		})
	}
}

// grown is how much memory is in use more, in bytes, for as long as what f made is.
func grown[T any](f func() T) (kept T, bytes int64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept = f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return kept, int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// TestMemory: what is kept of a file of any length takes no more than this.
func TestMemory(t *testing.T) {
	const count, most = 250_000, 4 << 20
	m, bytes := grown(func() (m IDs) {
		for i := range count {
			m.Put(uuid(i), i)
		}
		return m
	})
	if bytes > most {
		t.Errorf("%d ids take %d bytes", m.Len(), bytes)
	}
	list, bytes := grown(func() (l List[[3]uint64]) {
		for i := range uint64(count) {
			l.Add([3]uint64{i, i, i})
		}
		return l
	})
	if bytes > most {
		t.Errorf("a list of %d takes %d bytes", list.Len(), bytes)
	}
}

func uuid(i int) string { return fmt.Sprintf("%08x-3c5f-4000-8000-%012x", i*2654435761%(1<<32), i) }

// TestAListIsASlice: whatever is added, cut and set, wherever that is within its parts, and whether there is room for a file.
func TestAListIsASlice(t *testing.T) {
	for _, files := range []int{1 << 20, 0} {
		t.Run(fmt.Sprint(files, " files"), func(t *testing.T) {
			noRoom(t, files)
			rapid.Check(t, testAListIsASlice)
		})
	}
}

func testAListIsASlice(t *rapid.T) {
	var got List[int32]
	var want []int32
	somewhere := func(t *rapid.T) int { return rapid.IntRange(0, len(want)-1).Draw(t, "i") }
	t.Repeat(map[string]func(*rapid.T){
		"add": func(t *rapid.T) {
			for n := range rapid.SampledFrom([]int32{1, 7, part, part + 1, int32(partsMost * part), int32(partsMost*part + 9)}).Draw(t, "more") {
				got.Add(n)
				want = append(want, n)
			}
		},
		"cut": func(t *rapid.T) {
			n := rapid.IntRange(len(want)/2, len(want)+1).Draw(t, "left")
			got.Cut(n)
			want = want[:min(n, len(want))]
		},
		"set": func(t *rapid.T) {
			if len(want) > 0 {
				i := somewhere(t)
				got.Set(i, -5)
				want[i] = -5
			}
		},
		"": func(t *rapid.T) {
			if got.Len() != len(want) {
				t.Fatalf("%d, not %d", got.Len(), len(want))
			}
			for range min(20, len(want)) {
				if i := somewhere(t); got.At(i) != want[i] {
					t.Fatalf("%d at %d, not %d", got.At(i), i, want[i])
				}
			}
		},
	})
	for i, v := range want {
		if got.At(i) != v {
			t.Fatalf("%d at %d, not %d", got.At(i), i, v)
		}
	}
}

// TestTexts: they are a slice of texts, however long the list is.
func TestTexts(t *testing.T) {
	const count = 5000
	var got Texts
	for i := range count {
		got.Add(strings.Repeat("x", i%40) + fmt.Sprint(i))
	}
	for _, i := range []int{count - 1, 0, 1, count / 2} {
		want := strings.Repeat("x", i%40) + fmt.Sprint(i)
		if got.At(i) != want || got.Index(want) != i {
			t.Errorf("%q at %d, not %q, which is at %d", got.At(i), i, want, got.Index(want))
		}
	}
	if got.Len() != count || got.Index("y") != -1 {
		t.Errorf("%d texts, and one that is not there at %d", got.Len(), got.Index("y"))
	}
}

// TestTextsAreASlice: whatever is added and cut.
func TestTextsAreASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got Texts
		var want []string
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				text := strings.Repeat("x", rapid.IntRange(0, 40).Draw(t, "long")) + fmt.Sprint(len(want))
				got.Add(text)
				want = append(want, text)
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
				for i, text := range want {
					if got.At(i) != text {
						t.Fatalf("%q at %d, not %q", got.At(i), i, text)
					}
				}
			},
		})
	})
}

// TestAListHasNoPointers: in a file, the collector would not see them.
func TestAListHasNoPointers(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a list of texts went into a file")
		}
	}()
	var list List[struct{ text string }]
	for range (partsMost + 1) * part {
		list.Add(struct{ text string }{"x"})
	}
}

func TestFew(t *testing.T) {
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
