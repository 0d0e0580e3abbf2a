package states

import (
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/session"
)

// TestBack: an account that was taken back to some of a log goes on from there as if it had seen no more, whatever it was asked meanwhile.
func TestBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		stands := lineFrom(log, rapid.IntRange(0, len(log)).Draw(t, "stands"))
		var account Account
		var x session.Index
		if rapid.Bool().Draw(t, "before") {
			resolveOn(t, &account, &x, log[:lineFrom(log, rapid.IntRange(0, stands).Draw(t, "first"))])
		}
		if err := x.Extend(strings.NewReader(log), int64(stands)); err != nil {
			t.Fatal(err)
		}
		stood := x
		for range rapid.IntRange(1, 3).Draw(t, "ends") {
			end := drawLog(t)
			x = stood
			resolveOn(t, &account, &x, log[:stands]+end[lineFrom(end, rapid.IntRange(0, len(end)).Draw(t, "from")):])
			account.Back(&stood)
		}
		resolveOn(t, &account, &stood, log)
	})
}

// TestBackReadsWhatFollows, and nothing that stands.
func TestBackReadsWhatFollows(t *testing.T) {
	log := said(1, "user", "") + result(2, "none") + strings.Repeat(said(3, "user", ""), 20)
	end := said(4, "user", "")
	var account Account
	var x session.Index
	resolveOn(t, &account, &x, log)
	stood := x
	resolveOn(t, &account, &x, log+end) // which takes what stands
	for range 2 {
		account.Back(&stood)
		x = stood
		unread := strings.Repeat("x", len(log)/2) + log[len(log)/2:] + end
		if err := x.Extend(strings.NewReader(log+end), int64(len(log+end))); err != nil {
			t.Fatal(err)
		}
		index := x
		if o := OutlookOf(&index); account.Unread(&o) > int64(2*len(end)) {
			t.Errorf("%d bytes are to be read", account.Unread(&o))
		}
		if _, err := account.Resolve(io.NewSectionReader(strings.NewReader(unread), 0, int64(len(unread))), &index, ""); err != nil {
			t.Fatal(err)
		}
	}
}

// lineFrom is where the first line begins that does at a place or behind it.
func lineFrom(log string, at int) int {
	if at == 0 || log[at-1] == '\n' {
		return at
	}
	if n := strings.IndexByte(log[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(log)
}

// TestBackBeforeACompaction: a result is left out for another reason where another compaction, in the same place, keeps its call no more.
func TestBackBeforeACompaction(t *testing.T) {
	failed := strings.Replace(called(2, "a"), `"role":"assistant"`, `"role":"assistant","stopReason":"error"`, 1)
	log := said(1, "user", "") + failed + result(3, "a")
	var account Account
	var stood session.Index
	resolveOn(t, &account, &stood, log)
	x := stood
	resolveOn(t, &account, &x, log+compacted(4, 2))
	account.Back(&stood)
	resolveOn(t, &account, &stood, log+compacted(4, 3))
}
