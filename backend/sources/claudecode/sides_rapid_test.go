package claudecode

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// drawnRow is a row of a drawn file; text is what it says.
type drawnRow struct{ uuid, line, text string }

// drawMixed draws a file in which rows of a session stand among those of its subagents, some of them odd.
func drawMixed(t *rapid.T) (all []drawnRow) {
	ids := []string{"gone"}
	for i := range rapid.IntRange(1, 15).Draw(t, "rows") {
		row := drawnRow{uuid: fmt.Sprintf("r%d", i), text: fmt.Sprintf("word%dword", i)}
		parent := "-"
		if rapid.IntRange(0, 3).Draw(t, "root") > 0 {
			parent = rapid.SampledFrom(ids[max(0, len(ids)-6):]).Draw(t, "parent")
		}
		if rapid.IntRange(0, 9).Draw(t, "again") == 9 {
			row.uuid = rapid.SampledFrom(ids).Draw(t, "which")
		}
		mark := ""
		if rapid.IntRange(0, 2).Draw(t, "beside") > 0 {
			mark = beside
		}
		kinds := []string{user(row.text), said("m"+row.uuid, text(row.text), 1), done("c", row.text), boundary(""), `"type":"system","subtype":"informational","content":"` + row.text + `"`, `"type":"progress"`, `"type":"user","isCompactSummary":true,"message":{"role":"user","content":"` + row.text + `"}`}
		row.line = row.uuid + " " + parent + " " + mark + rapid.SampledFrom(kinds).Draw(t, "kind")
		if rapid.IntRange(0, 19).Draw(t, "without an id") < 19 {
			ids = append(ids, row.uuid)
		} else {
			row.uuid, row.line = "", `{`+mark+said("m"+row.uuid, text(row.text), 1)+`}`
		}
		all = append(all, row)
	}
	return all
}

func linesOf(all []drawnRow) string {
	var lines []string
	for _, row := range all {
		lines = append(lines, row.line)
	}
	return rows(lines...)
}

// TestEachRowIsInOneReading: of its session, or of one of the subagents in that's file. A row that is there again is with the first of its id.
func TestEachRowIsInOneReading(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := drawMixed(rt)
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, linesOf(all))
		var logs [][]byte
		for _, f := range sourcetest.Find(t, Source{}, env) {
			r := sourcetest.Read(t, Source{}, env, f)
			if r.Err != nil {
				rt.Fatalf("%s: %v", f.ID, r.Err)
			}
			logs = append(logs, r.Log)
		}
		for _, row := range all {
			again := row.uuid != "" && slices.IndexFunc(all, func(other drawnRow) bool { return other.uuid == row.uuid && other != row }) >= 0
			if again || len(logs) == 0 || !strings.Contains(row.line, row.text) || strings.Contains(row.line, "isCompactSummary") {
				continue // a summary is told with its boundary
			}
			n := 0
			for _, log := range logs {
				if bytes.Contains(log, []byte(row.text)) {
					n++
				}
			}
			if n != 1 {
				rt.Fatalf("%q is in %d readings of %d\n%s\n%s", row.text, n, len(logs), linesOf(all), bytes.Join(logs, []byte("\n\n")))
			}
		}
	})
}

// TestSidesArePiecedTogether: what is known after a file was looked through in pieces is what is known of the whole.
func TestSidesArePiecedTogether(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		whole := linesOf(drawMixed(rt))
		look := func(l *sidesLook, from int) (ok bool) {
			ok = true
			err := sources.LinesFrom(t.Context(), strings.NewReader(whole), int64(from), int64(len(whole)), func(line sources.Line) error {
				ok = ok && l.Line(line)
				return nil
			})
			if err != nil {
				rt.Fatal(err)
			}
			return ok
		}
		want := newSidesLook(id)
		look(want, 0)
		got, text := newSidesLook(id), whole
		cut := strings.LastIndexByte(text[:rapid.IntRange(0, len(text)).Draw(rt, "cut")], '\n') + 1
		whole = text[:cut]
		look(got, 0)
		whole = text
		if got = sidesOf(id, got.Notes(), true); !look(got, cut) {
			return // it is looked through from its beginning
		}
		if got, want := sidesOf(id, got.Notes(), false), sidesOf(id, want.Notes(), false); !reflect.DeepEqual(got, want) {
			rt.Fatalf("cut at %d\n%s\n%q\n%q", cut, text, got.Notes(), want.Notes())
		}
	})
}
