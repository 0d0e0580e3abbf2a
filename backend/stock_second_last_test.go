package backend

import (
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/index"
)

// TestSecondIsOfTheLast: what vanished, came back, went on and vanished again is in the second index as it was last, also where the program
// was killed before it could put that there.
func TestSecondIsOfTheLast(t *testing.T) {
	v := newVanishing(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	text, err := os.ReadFile(v.file())
	newsMust(t, err)
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	newsMust(t, os.WriteFile(v.file(), append(text, piMore...), 0o600))
	newsMust(t, b.Scan(t.Context(), false, nil))
	newsMust(t, os.Remove(v.file()))
	b.indexing.stock.second.dir = filepath.Join(v.dir(), "index.db", "none") // as if the program were killed before it is opened
	newsMust(t, b.indexing.stock.second.close())
	b.indexing.stock.second.index = nil
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()

	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	b = v.outlives(b)
	found, err := b.Search(t.Context(), SearchOptions{Text: "grown"})
	if err != nil || len(found.Hits) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestSecondIsNewer: an index that is one of before, as where its log of writes was lost, takes nothing from the second that happened since.
func TestSecondIsNewer(t *testing.T) {
	v := newVanishing(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	b.Close()
	path := filepath.Join(v.dir(), "index.db")
	earlier, err := os.ReadFile(path)
	newsMust(t, err)
	text, err := os.ReadFile(v.file())
	newsMust(t, err)
	newsMust(t, os.WriteFile(v.file(), append(text, piMore...), 0o600))
	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	newsMust(t, os.WriteFile(path, earlier, 0o600))
	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.is(b, true, 1)
	found, err := b.Search(t.Context(), SearchOptions{Text: "grown"})
	if err != nil || len(found.Hits) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	b.Close()
	if rows := v.twice(); !rows["pi:s1"].Gone {
		t.Errorf("%+v", rows)
	}
}

// TestSecondIsOfBefore: what vanished, came back without its end and vanishes again does not get its end back.
func TestSecondIsOfBefore(t *testing.T) {
	v := newVanishing(t)
	text, err := os.ReadFile(v.file())
	newsMust(t, err)
	b := v.open()
	for _, now := range []string{string(text) + piMore, string(text)} {
		newsMust(t, os.WriteFile(v.file(), []byte(now), 0o600))
		newsMust(t, b.Scan(t.Context(), false, nil))
		newsMust(t, os.Remove(v.file()))
		newsMust(t, b.Scan(t.Context(), false, nil))
	}
	v.is(b, true, 1)
	found, err := b.Search(t.Context(), SearchOptions{Text: "grown"})
	if err != nil || len(found.Hits) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestSecondKeepsTexts: one that was taken whole stays whole when it vanishes again and there is no room any more.
func TestSecondKeepsTexts(t *testing.T) {
	v := newVanishing(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	text, err := os.ReadFile(v.file())
	newsMust(t, err)
	for _, most := range []int64{secondMost, 1} {
		b.indexing.stock.second.most = most
		newsMust(t, os.Remove(v.file()))
		newsMust(t, b.Scan(t.Context(), false, nil))
		newsMust(t, os.WriteFile(v.file(), text, 0o600))
		newsMust(t, b.Scan(t.Context(), false, nil))
	}
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.outlives(b)
}

// TestBareComesLast: texts that the damaged index still has are put back, also where the second one has only the row.
func TestBareComesLast(t *testing.T) {
	v := newVanishing(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	b.indexing.stock.second.most = 1
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	v.spoil()
	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.is(b, true, 1)
}

// TestSecondIsMadeWhole: of what could be read of a damaged second index only in part, the index has all, and that is taken anew.
func TestSecondIsMadeWhole(t *testing.T) {
	v := newVanishing(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	v.leavePart()

	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.outlives(b)
}

// TestPartComesLast: of what could be read of a damaged second index only in part, the damaged index may have all.
func TestPartComesLast(t *testing.T) {
	v := newVanishing(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	v.leavePart()
	v.spoil()
	b = v.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	v.is(b, true, 1)
}

// spoil makes the index one that can't be opened.
func (v *vanishing) spoil() {
	v.Helper()
	path := filepath.Join(v.dir(), "index.db")
	text, err := os.ReadFile(path)
	newsMust(v.T, err)
	copy(text, "not a database  ")
	newsMust(v.T, os.WriteFile(path, text, 0o600))
}

// leavePart leaves in the second index the row of the session as of one whose texts could not be read.
func (v *vanishing) leavePart() {
	v.Helper()
	x, err := index.Open(filepath.Join(v.dir(), secondName), index.OpenOptions{})
	newsMust(v.T, err)
	defer x.Close()
	row, _, err := x.Session(v.Context(), "pi:s1")
	newsMust(v.T, err)
	row.Stamp, row.Offset, row.Revision = "", 0, 0
	newsMust(v.T, x.PutBare(v.Context(), []index.Session{row}, nil))
}
