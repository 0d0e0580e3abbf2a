package edge

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// zeros is a large file of which little is there; of has bytes that are not 0.
type zeros struct {
	size int64
	of   map[int64]byte
}

func (z zeros) ReadAt(p []byte, off int64) (int, error) {
	n := int(min(int64(len(p)), z.size-off))
	clear(p[:n])
	for at, b := range z.of {
		if at >= off && at < off+int64(n) {
			p[at-off] = b
		}
	}
	return n, nil
}

func TestEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.Byte(), 1, 20<<10).Draw(t, "text")
		place := int64(rapid.IntRange(1, len(text)).Draw(t, "place"))
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		before, err := Of(bytes.NewReader(text), place)
		if err != nil {
			t.Fatal(err)
		}
		text[at]++
		after, err := Of(bytes.NewReader(text), place)
		if err != nil || (before != after) != (int64(at) < place) {
			t.Fatalf("byte %d before %d: %x, %x, %v", at, place, before, after, err)
		}
		if _, err := Of(bytes.NewReader(text), int64(len(text))+1); !errors.Is(err, ErrShort) {
			t.Fatal("of a file that is shorter")
		}
	})
}

// TestEdgeOfALargeFile: what moves the rest is noticed, and what is changed at either end, and most of what is larger than the distance of
// windows.
func TestEdgeOfALargeFile(t *testing.T) {
	const size = 64 << 20
	edge := func(of map[int64]byte) uint32 {
		sum, err := Of(zeros{size, of}, size)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	none := edge(nil)
	for _, at := range []int64{0, windowBytes - 1, size - windowBytes, size - 1} {
		if edge(map[int64]byte{at: 1}) == none {
			t.Errorf("byte %d is not looked at", at)
		}
	}
	wide := map[int64]byte{}
	for at := int64(30 << 20); at < 30<<20+size/(windowsMost-1); at += windowBytes {
		wide[at] = 1
	}
	if edge(wide) == none {
		t.Error("a change as wide as the distance of two windows is not noticed")
	}
}

// TestEdgeInOneRoom: windows are read one after the other into the same room, however many there are.
func TestEdgeInOneRoom(t *testing.T) {
	var file io.ReaderAt = zeros{4 * wholeMost, nil}
	const few = 10
	allocated := testing.AllocsPerRun(1, func() {
		if _, err := Of(file, 4*wholeMost); err != nil {
			t.Fatal(err)
		}
	})
	if allocated > few {
		t.Errorf("room is made %v times for %d windows", allocated, windowsMost)
	}
}

// TestSumGoesOn: the sum of a file that grew, in which each place is a step, is that of all of it, and none but what is new is read for it.
func TestSumGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end := int64(rapid.SampledFrom([]int{100, 3 * windowBytes, wholeMost, 5 * wholeMost}).Draw(t, "end"))
		steps := rapid.SliceOfN(rapid.Int64Range(0, end), 0, 3).Draw(t, "steps")
		slices.Sort(steps)
		file := zeros{end, map[int64]byte{}}
		for range 5 {
			file.of[rapid.Int64Range(0, end-1).Draw(t, "at")] = 1
		}
		var sum Sum
		place := int64(0)
		for _, step := range append(steps, end) {
			var err error
			if sum, err = sum.On(behind{file, place - windowBytes}, step); err != nil {
				t.Fatalf("from %d to %d: %v", place, step, err)
			}
			place = step
			if want, err := Of(file, step); err != nil || sum.Value() != want {
				t.Fatalf("up to %d: %x, not %x, %v", step, sum.Value(), want, err)
			}
		}
	})
}

// behind is a file of which nothing may be read before a place.
type behind struct {
	file io.ReaderAt
	from int64
}

func (b behind) ReadAt(p []byte, off int64) (int, error) {
	if off < b.from {
		return 0, errors.New("that was read already")
	}
	return b.file.ReadAt(p, off)
}

// TestSomeComesRound: both ends are compared each time, and all windows are after some times.
func TestSomeComesRound(t *testing.T) {
	const size = 64 << 20
	for at, times := range map[int64]int{0: 1, windowBytes - 1: 1, size - windowBytes: 1, size - 1: 1, size / 2: windowsMost / someWindows} {
		sum, err := Sum{}.On(zeros{size, nil}, size)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for range times {
			same, err := sum.Some(zeros{size, map[int64]byte{at: 1}})
			if err != nil {
				t.Fatal(err)
			}
			found = found || !same
		}
		if !found {
			t.Errorf("byte %d is not compared in %d times", at, times)
		}
	}
	small, err := Sum{}.On(zeros{someWindows * windowBytes, nil}, someWindows*windowBytes)
	if err != nil {
		t.Fatal(err)
	}
	for at := range int64(someWindows) {
		if same, err := small.Some(zeros{someWindows * windowBytes, map[int64]byte{at * windowBytes: 1}}); same || err != nil {
			t.Errorf("of a small file window %d is not compared: %v", at, err)
		}
	}
}
