package states

import (
	"io"
	"sort"

	"palimpsest/backend/session"
)

// ResolveAsOf tells what had become of the lines of an indexed log when line i was its last. Those behind it are [Later].
func ResolveAsOf(log io.ReaderAt, x *session.Index, model string, i int) (*Table, error) {
	past := upTo(x, i)
	table, err := Resolve(log, &past, model)
	if err != nil {
		return nil, err
	}
	then := *table
	then.lines = past.Lines.Len()
	return &then, nil
}

// upTo is the index of a log as it was when line i was its last.
func upTo(x *session.Index, i int) session.Index {
	past := *x
	past.Lines = x.Lines.UpTo(i + 1)
	overlays := sort.Search(len(x.Overlays), func(k int) bool { return x.Overlays[k].Index > i })
	past.Overlays = x.Overlays[:overlays:overlays]
	last := x.Lines.At(i)
	past.Size = min(last.Offset+last.Length+1, x.Size)
	return past
}
