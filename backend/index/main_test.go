package index

import (
	"bytes"
	"context"
	"os"

	"pgregory.net/rapid"
)

// tempDir is for a run of a property, of which there are many in a test.
func tempDir(t *rapid.T) string {
	dir, err := os.MkdirTemp("", "index-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Sessions are all rows, with their digests and what is beside them, in no order.
func (x *Index) Sessions(ctx context.Context) ([]Session, error) {
	var out []Session
	err := x.EachWhole(ctx, func(s *Session) {
		s.Digest = bytes.Clone(s.Digest)
		out = append(out, *s)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
