package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTheSameOptionsMakeTheSameFiles, and what is there is not made again.
func TestTheSameOptionsMakeTheSameFiles(t *testing.T) {
	opts := Options{Sessions: 12, Bytes: 200 << 10, Large: 1, LargeBytes: 100 << 10, Huge: 150 << 10, Seed: 3}
	one, err := Make(t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	two, err := Make(dir, opts)
	if err != nil || one.Bytes != two.Bytes || one.Sessions != 14 {
		t.Fatalf("%+v, then %+v, %v", one, two, err)
	}
	text, err := os.ReadFile(one.HugeFile)
	again, err2 := os.ReadFile(two.HugeFile)
	if err != nil || err2 != nil || string(text) != string(again) || int64(len(text)) < opts.Huge {
		t.Errorf("%d and %d bytes, %v, %v", len(text), len(again), err, err2)
	}
	if err := os.RemoveAll(filepath.Dir(two.HugeFile)); err != nil {
		t.Fatal(err)
	}
	if three, err := Make(dir, opts); err != nil || three.Bytes != two.Bytes {
		t.Errorf("%+v, %v", three, err)
	}
}
