package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"
)

// lineOf is what the lines of these tests are: of the one with a number, and of another log than the one with another salt.
func lineOf(i int, salt int64) Line {
	return Line{Offset: int64(i) * 100, Length: salt, Seq: int64(i + 1), Number: int32(i + 1), Kind: LineUser}
}

const longLog = 3 * 64 * partLines

func longLines(count int) (l Lines) {
	for i := range count {
		l.add(lineOf(i, 1))
	}
	return l
}

// TestLongLines: those of a long log are there for everybody, also for who has another end of it, with room on disk and without.
func TestLongLines(t *testing.T) {
	for _, room := range []bool{true, false} {
		t.Run(fmt.Sprint("room ", room), func(t *testing.T) {
			if !room {
				before := newFile
				newFile = func() (*os.File, error) { return nil, errors.New("no room") }
				t.Cleanup(func() { newFile = before })
			}
			lines := longLines(longLog)
			forked := longLog/3 + 5
			other := lines.UpTo(forked)
			for i := forked; i < longLog; i++ {
				other.add(lineOf(i, 2))
			}
			var wg sync.WaitGroup
			for worker := range uint64(4) {
				wg.Go(func() {
					random := rand.New(rand.NewPCG(1, worker))
					for range 2000 {
						i := random.IntN(longLog)
						salt := int64(1)
						if i >= forked {
							salt = 2
						}
						if lines.At(i) != lineOf(i, 1) || other.At(i) != lineOf(i, salt) {
							t.Errorf("line %d is %+v and %+v", i, lines.At(i), other.At(i))
							return
						}
						if from := lines.From(int64(i)*100 - 1); from != i {
							t.Errorf("line %d is found as %d", i, from)
							return
						}
					}
				})
			}
			wg.Wait()
			if from := lines.From(longLog * 100); from != longLog {
				t.Errorf("behind the last line is %d", from)
			}
		})
	}
}

// TestLinesTakeLittle: those of a log of any length take no more memory than this.
func TestLinesTakeLittle(t *testing.T) {
	const most = 3 << 20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	lines := longLines(longLog)
	for i := range lines.All() {
		_ = lines.At(longLog - 1 - i)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > most {
		t.Errorf("%d lines take %d bytes", lines.Len(), grown)
	}
}
