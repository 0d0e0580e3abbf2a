package digest

import (
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/index"
	"palimpsest/backend/record"
)

// texter gives the texts of records.
type texter struct {
	emit  func(index.Text) error
	blob  func(sha string) (text string, ok bool)
	apart apart
	words words
	large int
	err   error
}

func (t *texter) text(at index.Text, scope index.Scope, text string) {
	if t.err != nil || t.emit == nil || strings.TrimSpace(text) == "" {
		return
	}
	at.Scope, at.Text = scope, text
	t.err = t.emit(at)
}

// part gives one that fares otherwise than its line.
func (t *texter) part(at index.Text, scope index.Scope, text string, fares int) {
	if strings.TrimSpace(text) != "" {
		at.Part = t.apart.add(at.Line, fares)
		t.text(at, scope, text)
	}
}

// record gives those of one record.
func (t *texter) record(at index.Text, rec *record.Record) {
	t.apart.names(at.Line, rec)
	if m := rec.Message; m != nil && m.Role == record.RoleAssistant && !m.Aside {
		t.apart.answered(at.Line, m.Provider)
	}
	switch {
	case rec.Newer:
		t.text(at, index.Assistant, strings.Join(rec.Text(), "\n"))
	case rec.Message != nil:
		t.message(at, rec.Message, voiceOf(rec.Message))
	case rec.Compaction != nil:
		t.compaction(at, rec)
	case rec.Branch != nil:
		t.text(at, index.Summary, rec.Branch.Summary)
	case rec.Prune != nil:
		for k, text := range rec.Prune.Texts {
			t.part(at, index.Output, text, k)
		}
	case rec.Label != nil:
		t.text(at, index.User, rec.Label.Label)
	case rec.Note != nil && rec.Note.Overlong():
		t.large++
	case rec.Note != nil:
		t.blocks(at, index.Injected, rec.Note.Content, noted)
	}
	t.words.take(rec)
}

func (t *texter) message(at index.Text, m *record.Message, v voice) {
	switch {
	case m.ByAgent:
		t.blocks(at, index.Injected, m.Content, v)
	case m.Role == record.RoleUser:
		t.blocks(at, index.User, m.Content, v)
	case m.Role == record.RoleAssistant:
		t.blocks(at, index.Assistant, m.Content, v)
		t.part(at, index.Assistant, m.ErrorMessage, unseen)
	case m.Role == record.RoleToolResult:
		t.blocks(at, index.Output, m.Content, v)
	}
}

func (t *texter) blocks(at index.Text, scope index.Scope, blocks []record.Block, v voice) {
	for _, b := range blocks {
		if b.Placeholder() {
			continue
		}
		switch b.Kind {
		case record.BlockText:
			whole := t.whole(b)
			if b.Aside {
				t.part(at, scope, readable(scope, whole), never)
				continue
			}
			if whole == b.Uncut(whole) {
				t.said(at, scope, readable(scope, whole), v.heard)
				continue
			}
			// An agent's note that an output was too long stands for what it is kept beside, and the model has seen the note.
			t.part(at, scope, readable(scope, whole), cut)
			t.said(at, scope, b.Text, v.heard)
		case record.BlockThinking:
			t.part(at, index.Thinking, b.Text, t.thought(&b, v))
		case record.BlockToolCall:
			call := at
			call.Tool = b.Name
			t.said(call, index.Call, Readable(b.Name, b.Arguments), v.calls)
		case record.BlockAsIs:
			t.said(at, scope, Readable("", b.JSON), v.heard)
		case record.BlockUnknown:
			t.part(at, scope, Readable("", b.JSON), cut)
		case record.BlockImage:
		}
	}
}

func readable(scope index.Scope, text string) string {
	if scope == index.Output {
		return record.Output(text)
	}
	return text
}

// said gives one that fares as its line, if the model hears it; else the model hears something else of that line.
func (t *texter) said(at index.Text, scope index.Scope, text string, heard bool) {
	if heard {
		t.text(at, scope, text)
		return
	}
	t.part(at, scope, text, cut)
}

// thought is how thinking fares in what is said in a voice.
func (t *texter) thought(b *record.Block, v voice) int {
	switch {
	case b.Aside:
		return never
	case !v.thinks:
		return cut
	case b.AnyProvider:
		return told
	}
	return t.apart.thoughtOf(v.provider)
}

// whole is all of a text that is kept beside the log.
func (t *texter) whole(b record.Block) string {
	if b.Blob == "" {
		return b.Text
	}
	if t.blob != nil {
		if text, ok := t.blob(b.Blob); ok {
			return text
		}
	}
	t.large++
	return b.Text
}

// Readable is a name and a JSON value as a person reads them: a line for each member, without quotes and escapes.
func Readable(name, text string) string {
	var out strings.Builder
	out.Grow(len(name) + len(text))
	out.WriteString(name)
	spell(&out, "", gjson.Parse(text))
	return out.String()
}

// spell writes a value; the line was checked, which bounds nesting.
func spell(out *strings.Builder, name string, value gjson.Result) {
	if value.IsObject() || value.IsArray() {
		if name != "" {
			out.WriteString("\n" + name + ":")
		}
		value.ForEach(func(key, member gjson.Result) bool {
			spell(out, key.Str, member)
			return true
		})
		return
	}
	if out.Len() > 0 {
		out.WriteByte('\n')
	}
	if name != "" {
		out.WriteString(name + ": ")
	}
	out.WriteString(value.String())
}
