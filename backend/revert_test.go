package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// TestRevertDuringATurn is refused at once, however long one would wait for another program.
func TestRevertDuringATurn(t *testing.T) {
	k := talk(t)
	u := k.say("hello")
	asked := k.server.Next()
	_, err := k.Revert(t.Context(), k.id, 1)
	if p := ProblemOf(err); p.Code != CodeBusy || !strings.Contains(p.Hint, "stop the turn") {
		t.Errorf("%+v", p)
	}
	asked.Answer("fine")
	u.ok()
}

func TestRedoOnce(t *testing.T) {
	ctx := context.Background()
	lean := `{"recordType":"compaction","schemaVersion":1,"seq":2,"firstKeptSeq":1,"summary":"s"}` + "\n"
	b, id := open(t, said(1, "user", "one")+lean)
	if _, err := b.Revert(ctx, id, 2); err != nil {
		t.Fatal(err)
	}
	if outline, err := b.Outline(id); err != nil || outline.Compactions[0].RevertedBy == nil || *outline.Compactions[0].RevertedBy != 3 {
		t.Errorf("undone: %+v, %v", outline.Compactions, err)
	}
	if seq, err := b.Revert(ctx, id, 3); err != nil || seq != 4 {
		t.Fatalf("redo of a compaction that a lenient writer left: %d, %v", seq, err)
	}
	if outline, err := b.Outline(id); err != nil || outline.Compactions[0].RevertedBy != nil || outline.Compactions[1].State != StateInForce {
		t.Errorf("redone: %+v, %v", outline.Compactions, err)
	}
	if _, err := b.Revert(ctx, id, 3); !errors.Is(err, session.ErrInput) || !strings.Contains(err.Error(), "already, as 4") {
		t.Errorf("redo again: %v", err)
	}
	if _, err := b.Revert(ctx, id, 4); err != nil {
		t.Errorf("undo of what was redone: %v", err)
	}
}

func TestReplacementThatLosesAMessageIsStillInForce(t *testing.T) {
	b, id := open(t, said(1, "user", "one")+
		`{"recordType":"compaction","schemaVersion":1,"seq":2,"firstKeptSeq":1,"summary":"s","replacement":[{"role":"user","content":[{"type":"text","text":"r"}]},{"role":"assistant","content":[]}]}`+"\n")
	outline, err := b.Outline(id)
	if err != nil || outline.Compactions[0].State != StateInForce {
		t.Errorf("%+v, %v", outline.Compactions, err)
	}
}

// TestStatesAgree: of any log, what the page says of each line, what the outlook says, and what is in the context.
func TestStatesAgree(t *testing.T) {
	b, err := Open(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	rapid.Check(t, func(rt *rapid.T) {
		log := drawRepeating(rt)
		m, err := b.store.Import(session.New{}, []byte(log))
		if err != nil {
			rt.Fatal(err)
		}
		v, err := b.view(m.ID)
		if err != nil {
			rt.Fatal(err)
		}
		defer v.close()
		o := states.OutlookOf(&v.index)
		rough := o.Rough()
		for i := range v.index.Lines.Len() {
			if v.index.Lines.At(i).Kind == session.LineDamaged {
				continue
			}
			exact, _ := v.states.Of(&v.index, i)
			guess, _ := rough.Of(&v.index, i)
			if exact != guess && !(exact == StatePruned || exact == StateDropped) {
				rt.Fatalf("%s\nline %d is %s, roughly %s", log, i, exact, guess)
			}
		}
		c, err := b.Context(m.ID, ContextOptions{})
		if err != nil {
			rt.Fatal(err)
		}
		inForce := int64(0)
		for _, entry := range v.index.Overlays {
			if state, _ := v.states.Of(&v.index, entry.Index); state == StateInForce {
				inForce = entry.Record.Seq
			}
		}
		if c.CompactionSeq == nil && inForce != 0 || c.CompactionSeq != nil && *c.CompactionSeq != inForce {
			rt.Fatalf("%s\nin force: %v in the context, %d by the states", log, c.CompactionSeq, inForce)
		}
	})
}

// drawRepeating draws a small log in which seqs repeat and overlays point anywhere.
func drawRepeating(t *rapid.T) string {
	var log strings.Builder
	seq := 0
	anywhere := rapid.IntRange(0, 9)
	for range rapid.IntRange(0, 12).Draw(t, "lines") {
		seq++
		if rapid.IntRange(0, 5).Draw(t, "disorder") == 0 {
			seq = rapid.IntRange(1, 9).Draw(t, "seq")
		}
		switch rapid.SampledFrom([]string{"user", "user", "compaction", "revert", "branch", "prune", "newer", "torn"}).Draw(t, "type") {
		case "user":
			log.WriteString(said(seq, "user", "x"))
		case "compaction":
			log.WriteString(compactionLine(seq, anywhere.Draw(t, "kept")))
		case "revert":
			fmt.Fprintf(&log, `{"recordType":"revert","schemaVersion":2,"seq":%d,"targetSeq":%d}`+"\n", seq, anywhere.Draw(t, "target"))
		case "branch":
			fmt.Fprintf(&log, `{"recordType":"branch","schemaVersion":2,"seq":%d,"fromSeq":%d,"summary":"s"}`+"\n", seq, anywhere.Draw(t, "from"))
		case "prune":
			fmt.Fprintf(&log, `{"recordType":"prune","schemaVersion":2,"seq":%d,"seqs":[%d],"tokensFreed":1}`+"\n", seq, anywhere.Draw(t, "target"))
		case "newer":
			fmt.Fprintf(&log, `{"recordType":"hologram","schemaVersion":1,"seq":%d}`+"\n", seq)
		case "torn":
			log.WriteString("{\n")
		}
	}
	return log.String()
}

// TestPagingByIndexReachesEveryLine, also where seqs repeat and where damage fills pages.
func TestPagingByIndexReachesEveryLine(t *testing.T) {
	log := said(1, "user", "a") + said(2, "user", "b") + said(3, "user", "c") + strings.Repeat("garbage\n", 7) + said(2, "user", "d") + said(3, "user", "e")
	b, id := open(t, log)
	lines := 0
	for position := 0; ; {
		page, err := b.Page(id, PageOptions{Position: position, Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		lines += page.Count
		if page.NextIndex == nil {
			break
		}
		position = *page.NextIndex
	}
	if lines != 12 {
		t.Errorf("%d lines, want 12", lines)
	}
}

// TestTextIsHandedOnAsUTF8: what is not UTF-8 in a file is not in what any reader is given.
func TestTextIsHandedOnAsUTF8(t *testing.T) {
	b, id := open(t, said(1, "user", "\xff\xfe"))
	c, err := b.Context(id, ContextOptions{})
	if err != nil || !utf8.Valid(c.Messages[0].Content[0]) {
		t.Errorf("context: %q, %v", c.Messages[0].Content, err)
	}
	page, err := b.Page(id, PageOptions{})
	if err != nil || !utf8.Valid(page.Records[0]) {
		t.Errorf("page: %q, %v", page.Records, err)
	}
	err = b.Show(context.Background(), id, ShowOptions{}, func(s *Shown) error {
		if !utf8.Valid(s.JSON) {
			t.Errorf("show: %q", s.JSON)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
