//go:build !race

package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/drawn"
)

func TestDamage(t *testing.T) {
	good := t.TempDir()
	filled(t, good)
	data, err := os.ReadFile(filepath.Join(good, fileName))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	for i := range 48 {
		broken := append([]byte(nil), data...)
		what := ""
		switch {
		case i == 0:
			what, broken = "empty", nil
		case i == 1:
			what, broken = "garbage", []byte(strings.Repeat("no database at all\n", 1000))
		case i < 8:
			broken = broken[:random.IntN(len(broken))]
			what = fmt.Sprint("cut at ", len(broken))
		case i < 30:
			at := random.IntN(len(broken))
			broken[at] ^= 1 << random.IntN(8)
			what = fmt.Sprint("one bit of byte ", at)
		default:
			at := random.IntN(len(broken) / 512)
			for j := range 512 {
				broken[at*512+j] = byte(random.Uint32())
			}
			what = fmt.Sprint("noise at ", at*512)
		}
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, fileName), broken, 0o600); err != nil {
				t.Fatal(err)
			}
			checkFilled(t, openAt(t, dir, tiny))
		})
	}
}

// TestOneByte: whichever byte of an index becomes another one, what is there afterwards was there before, and what is not is told.
func TestOneByte(t *testing.T) {
	good := t.TempDir()
	lived(t, good)
	before := everything(t, good)
	data, err := os.ReadFile(filepath.Join(good, fileName))
	if err != nil {
		t.Fatal(err)
	}
	drawn.Few(t, func(rt *rapid.T) {
		broken := slices.Clone(data)
		at := rapid.IntRange(0, len(data)-1).Draw(rt, "at")
		broken[at] ^= rapid.ByteRange(1, 255).Draw(rt, "by")
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, fileName), broken, 0o600); err != nil {
			rt.Fatal(err)
		}
		now, told, anew := salvaged(t, dir)
		lost := faithful(t, before, now)
		if len(lost) > 0 && !strings.Contains(told, "could not be read") && len(now) > 0 {
			rt.Fatalf("byte %d: %v are lost, begun anew: %v; told %q", at, lost, anew, told)
		}
		if len(lost) > 4 {
			rt.Fatalf("byte %d: one byte took %d sessions; told %q", at, len(lost), told)
		}
	})
}
