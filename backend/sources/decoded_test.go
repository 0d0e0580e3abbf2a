package sources

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/backend/record"
)

// drawInto gives a value any content.
func drawInto[T any](t *rapid.T) T {
	var value T
	drawer{t}.fill(reflect.ValueOf(&value).Elem(), 2)
	return value
}

func drawMeta(t *rapid.T) Meta {
	m := Meta{Copied: rapid.Bool().Draw(t, "copied"), Entry: "e"}
	if rapid.Bool().Draw(t, "timed") {
		m.Time = time.Unix(rapid.Int64Range(-1e11, 1e12).Draw(t, "seconds"), rapid.Int64Range(0, 1e9).Draw(t, "ns")).In(time.FixedZone("z", 3600))
	}
	if rapid.IntRange(0, 4).Draw(t, "more") == 0 {
		m.More = map[string]json.RawMessage{rapid.SampledFrom([]string{"cwd", "usage", "model", "timestamp"}).Draw(t, "name"): json.RawMessage(`{"input":3}`)}
	}
	return m
}

// drawRecord adds a record of any kind.
func drawRecord(t *rapid.T, l *Log) {
	meta := drawMeta(t)
	roles := rapid.SampledFrom([]record.Role{record.RoleUser, record.RoleAssistant, record.RoleToolResult, "odd"})
	switch rapid.IntRange(0, 8).Draw(t, "kind") {
	case 0, 1:
		m := drawInto[Message](t)
		m.Meta, m.Role = meta, roles.Draw(t, "role")
		if rapid.IntRange(0, 3).Draw(t, "cut") == 0 {
			whole := rapid.StringN(20, 200, -1).Draw(t, "whole")
			kept := len(whole) + rapid.SampledFrom([]int{0, 0, 1}).Draw(t, "others")
			m.Content = append(m.Content, Block{Type: "text", Text: record.HeadAndTail(whole, 4), Blob: "sha", Bytes: kept})
		}
		l.Message(m)
	case 2:
		c := drawInto[Compaction](t)
		for i := range c.Replacement {
			c.Replacement[i].Role = roles.Draw(t, "role")
		}
		c.Meta = meta
		l.Compaction(c)
	case 3:
		b := drawInto[Branch](t)
		b.Meta = meta
		l.Branch(b)
	case 4:
		p := drawInto[Prune](t)
		p.Meta = meta
		l.Prune(p)
	case 5:
		l.Revert(Revert{Meta: meta, Target: rapid.Int64().Draw(t, "target")})
	case 6:
		l.Label(Label{Meta: meta, Target: rapid.Int64().Draw(t, "target"), Label: drawer{t}.text()})
	case 7:
		m := drawInto[Model](t)
		m.Meta, m.Named = meta, false
		l.Model(m)
	default:
		n := drawInto[Note](t)
		n.Meta = meta
		l.Note(n)
	}
}

// bare is a record without what the line holds as JSON; the arguments of calls are compared as values.
func bare(rec record.Record) record.Record {
	strip := func(blocks []record.Block) {
		for i := range blocks {
			blocks[i].JSON = ""
			if blocks[i].Kind == record.BlockToolCall {
				var value any
				_ = json.Unmarshal([]byte(blocks[i].Arguments), &value)
				text, _ := json.Marshal(value)
				blocks[i].Arguments = string(text)
			}
		}
	}
	rec.JSON = ""
	switch {
	case rec.Message != nil:
		strip(rec.Message.Content)
	case rec.Note != nil:
		strip(rec.Note.Content)
	case rec.Compaction != nil:
		for _, m := range rec.Compaction.Replacement {
			strip(m.Content)
		}
		if len(rec.Compaction.ReadFiles) == 0 {
			rec.Compaction.ReadFiles = nil
		}
		if len(rec.Compaction.ModifiedFiles) == 0 {
			rec.Compaction.ModifiedFiles = nil
		}
	}
	return rec
}

// TestShownIsWhatIsRead: a record that is told of as it is written is the one that its line says, and every line is told of.
func TestShownIsWhatIsRead(t *testing.T) {
	told, untold := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var out, shown bytes.Buffer
		l := NewLog("codex", "s", &out, nil)
		l.Show(func(line []byte, rec *record.Record, copied bool) error {
			shown.Write(append(bytes.Clone(line), '\n'))
			if rec == nil {
				untold++
				return nil
			}
			told++
			want, err := record.Decode(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			var origin struct{ Origin struct{ Copied bool } }
			_ = json.Unmarshal(line, &origin)
			if got := bare(*rec); !reflect.DeepEqual(got, bare(want)) || copied != origin.Origin.Copied {
				t.Fatalf("%s\n%+v\n%+v, %v", line, got, want, copied)
			}
			return nil
		})
		for range rapid.IntRange(1, 3).Draw(t, "records") {
			drawRecord(t, l)
		}
		l.Broken([]byte("{half"))
		if l.Err() == nil && !bytes.Equal(out.Bytes(), shown.Bytes()) {
			t.Fatalf("%s\n%s", out.String(), shown.String())
		}
	})
	if told < untold/20 || told == 0 {
		t.Errorf("of %d only %d", untold, told)
	}
}
