package server

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

// answerMost bounds what a page is handed at once.
const answerMost = 1 << 20

// tangled has so many compactions, branches and damaged lines.
func tangled(count int) []string {
	lines, seq := []string{}, 0
	next := func() int { seq++; return seq }
	for range count {
		const compaction = `{"recordType":"compaction","schemaVersion":1,"seq":%d,"timestamp":"2026-01-02T03:04:05Z","summary":"Short.","firstKeptSeq":%d,"model":"a-model"}`
		const branch = `{"recordType":"branch","schemaVersion":2,"seq":%d,"timestamp":"2026-01-02T03:04:05Z","fromSeq":%d}`
		lines = append(lines, lineOf(next(), quoted("one more")), fmt.Sprintf(compaction, next(), seq-1), "{damaged}", fmt.Sprintf(branch, next(), seq-1),
			lineOf(next(), quoted("another way")))
	}
	return lines
}

// TestAnOutlineComesInParts: none is more than a page is handed at once, and together they are all of it.
func TestAnOutlineComesInParts(t *testing.T) {
	const count = 3000
	f := start(t)
	id := logged(t, f.backend, tangled(count))
	whole, err := f.backend.Outline(id)
	must(t, err)
	if len(whole.Compactions) != count || len(whole.Branches) != count || len(whole.Damage) < count {
		t.Fatalf("%d compactions, %d branches, %d damaged", len(whole.Compactions), len(whole.Branches), len(whole.Damage))
	}
	path, parts := "/api/sessions/"+id+"/outline", 0
	var all backend.Outline
	for next := new(int); next != nil; parts++ {
		query := fmt.Sprintf("%s?from=%d", path, *next)
		if size := len(f.ask("GET", query, "", "Accept-Encoding", "identity").body); size > answerMost {
			t.Errorf("%s: %d bytes", query, size)
		}
		part := ok[backend.Outline](f, http.StatusOK, "GET", query, "")
		next, part.Next = part.Next, nil
		part.Compactions = append(all.Compactions, part.Compactions...)
		part.Branches = append(all.Branches, part.Branches...)
		part.Damage = append(all.Damage, part.Damage...)
		all = part
	}
	if diff := cmp.Diff(whole, all, cmpopts.IgnoreFields(session.Damage{}, "Index")); diff != "" || parts < 3 {
		t.Errorf("%d parts: %.2000s", parts, diff)
	}
}
