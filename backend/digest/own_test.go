package digest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"palimpsest/backend/edge"
)

// counted counts what is read.
type counted struct {
	io.ReaderAt
	bytes int
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.bytes += n
	return n, err
}

// TestOwnLogsAreComparedInPart: of a log of ours that was read on already, no more is read for what is appended however long it is; what was
// edited at its beginning is found at once.
func TestOwnLogsAreComparedInPart(t *testing.T) {
	const most = 320 << 10
	opts := options()
	opts.Sum = &edge.Sum{}
	var log []byte
	said := func(seq int) {
		log = fmt.Appendf(log, `{"recordType":"message","schemaVersion":1,"seq":%d,"role":"user","content":[{"type":"text","text":"x"}]}`+"\n", seq)
	}
	for seq := range 15_000 {
		said(seq + 1)
	}
	d, err := Read(bytes.NewReader(log), int64(len(log)), opts, nil)
	if err != nil || len(log) < 4*most {
		t.Fatal(err)
	}
	for n := range 3 {
		said(100_000 + n)
		r := &counted{bytes.NewReader(log), 0}
		got, err := Continue(d, r, int64(len(log)), opts, nil)
		if err != nil || n > 0 && r.bytes > most {
			t.Errorf("%d: %d bytes are read, %v", n, r.bytes, err)
		}
		anew := options()
		want, err := Continue(d, bytes.NewReader(log), int64(len(log)), anew, nil)
		if err != nil || !bytes.Equal(got.Encode(), want.Encode()) {
			t.Fatalf("%s\nnot\n%s, %v", got.Encode(), want.Encode(), err)
		}
		d = got
	}
	edited := bytes.Clone(log)
	edited[100] ^= 1
	if _, err := Continue(d, bytes.NewReader(edited), int64(len(log)), opts, nil); !errors.Is(err, ErrAnew) {
		t.Errorf("what was edited is read on: %v", err)
	}
}
