package sources

import (
	"bytes"
	"slices"
	"strconv"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

func says(role record.Role, text string) Message {
	return Message{Role: role, Content: []Block{{Type: "text", Text: text}}}
}

// keptIn are the messages that the last compaction of a log says to have word for word.
func keptIn(out *bytes.Buffer) (seqs []int64) {
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	for _, seq := range gjson.GetBytes(lines[len(lines)-1], "keptSeqs").Array() {
		seqs = append(seqs, seq.Int())
	}
	return seqs
}

// TestWhatIsReplacedByTheSameWords is kept: the last of the same words, on the path, in whatever form the agent takes it over.
func TestWhatIsReplacedByTheSameWords(t *testing.T) {
	call := Block{Type: "toolCall", ID: "c1", Name: "bash", Arguments: []byte(`{"command":"ls"}`)}
	thinking := Block{Type: "thinking", Text: "hm"}
	for name, c := range map[string]struct {
		before      func(*Log)
		replacement []Message
		want        []int64
	}{
		"some": {
			func(l *Log) {
				for _, text := range []string{"one", "two", "three"} {
					l.Message(says("user", text))
				}
			}, []Message{says("user", "one"), says("user", "three"), says("user", "a summary")}, []int64{1, 3},
		},
		"the last of the same": {
			func(l *Log) {
				for range 4 {
					l.Message(says("user", "go on"))
				}
			}, []Message{says("user", "go on"), says("user", "go on")}, []int64{3, 4},
		},
		"what a person alone was shown": {
			func(l *Log) {
				l.Message(says("user", "one"))
				shown := says("user", "one")
				shown.Aside = true
				l.Message(shown)
			}, []Message{says("user", "one")}, []int64{1},
		},
		"said by another":  {func(l *Log) { l.Message(says("assistant", "one")) }, []Message{says("user", "one")}, nil},
		"shortened":        {func(l *Log) { l.Message(says("user", "one and two")) }, []Message{says("user", "one")}, nil},
		"without thinking": {func(l *Log) { l.Message(Message{Role: "assistant", Content: []Block{thinking, call}}) }, []Message{{Role: "assistant", Content: []Block{call}}}, []int64{1}},
		"of another call": {
			func(l *Log) {
				l.Message(Message{Role: "toolResult", ToolCallID: "c1", Content: []Block{{Type: "text", Text: "x"}}})
			},
			[]Message{{Role: "toolResult", ToolCallID: "c2", Content: []Block{{Type: "text", Text: "x"}}}},
			nil,
		},
		"a result and its call": {
			func(l *Log) {
				l.Message(Message{Role: "assistant", Content: []Block{call}})
				l.Message(Message{Role: "toolResult", ToolCallID: "c1", Content: []Block{{Type: "text", Text: "x"}}})
			},
			[]Message{{Role: "assistant", Content: []Block{call}}, {Role: "toolResult", ToolCallID: "c1", Content: []Block{{Type: "text", Text: "x"}}}},
			[]int64{1, 2},
		},
		"a result without its call": {
			func(l *Log) {
				l.Message(Message{Role: "assistant", Content: []Block{call}})
				l.Message(Message{Role: "toolResult", ToolCallID: "c1", Content: []Block{{Type: "text", Text: "x"}}})
			},
			[]Message{{Role: "toolResult", ToolCallID: "c1", Content: []Block{{Type: "text", Text: "x"}}}},
			nil,
		},
		"what the agent put in": {
			func(l *Log) {
				l.Note(Note{Namespace: "codex.context", Content: []Block{{Type: "text", Text: "be brief"}}})
			},
			[]Message{says("user", "be brief")},
			[]int64{1},
		},
		"nothing": {func(l *Log) { l.Message(Message{Role: "assistant"}) }, []Message{{Role: "assistant"}, says("user", "x")}, nil},
		"off the path": {
			func(l *Log) {
				l.Message(says("user", "one"))
				l.Message(says("user", "two"))
				l.Message(says("user", "one"))
				l.Branch(Branch{From: 2})
				l.Message(says("user", "three"))
			}, []Message{says("user", "one"), says("user", "three")}, []int64{1, 5},
		},
		"back on the path": {
			func(l *Log) {
				l.Message(says("user", "one"))
				l.Message(says("user", "two"))
				l.Branch(Branch{From: 1})
				l.Message(says("user", "three"))
				l.Branch(Branch{From: 2})
			}, []Message{says("user", "one"), says("user", "two"), says("user", "three")}, []int64{1, 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			l := NewLog("codex", "s", &out, nil)
			c.before(l)
			l.Compaction(Compaction{Replacement: c.replacement})
			if got := keptIn(&out); !slices.Equal(got, c.want) {
				t.Errorf("%d, not %d:\n%s", got, c.want, out.Bytes())
			}
		})
	}
}

// TestPastGoesOn: a log that goes on behind another knows what that one had, up to where it goes on.
func TestPastGoesOn(t *testing.T) {
	var first, second bytes.Buffer
	l := NewLog("codex", "s", &first, nil)
	l.Message(says("user", "one"))
	l.Message(says("user", "two")) // which will be written again
	on := NewLog("codex", "s", &second, nil)
	on.Behind(1)
	on.GoOn(l.Past())
	on.Message(says("user", "two and more"))
	on.Compaction(Compaction{Replacement: []Message{says("user", "one"), says("user", "two"), says("user", "two and more")}})
	if got := keptIn(&second); !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("%d: %s", got, second.Bytes())
	}
}

// TestPastGoesFarBack: what stood behind where a log goes on, and has gone, stands for nothing before it.
func TestPastGoesFarBack(t *testing.T) {
	var out bytes.Buffer
	l := NewLog("codex", "s", discard{}, nil)
	for i := range pastMost + 100 {
		l.Message(says("user", strconv.Itoa(i+1)))
	}
	on := NewLog("codex", "s", &out, nil)
	on.Behind(110)
	on.GoOn(l.Past())
	on.Compaction(Compaction{Replacement: []Message{says("user", "105"), says("user", strconv.Itoa(pastMost+50))}})
	if got := keptIn(&out); !slices.Equal(got, []int64{105}) {
		t.Errorf("%d: %s", got, out.Bytes())
	}
}

// TestPastForgets what is long ago, however long the log, and not what is near.
func TestPastForgets(t *testing.T) {
	l := NewLog("codex", "s", discard{}, nil)
	l.Message(says("user", "first"))
	for range pastMost {
		l.Message(says("assistant", "and so on"))
	}
	near := l.Message(says("user", "near"))
	var out bytes.Buffer
	l.out = &out
	l.Compaction(Compaction{Replacement: []Message{says("user", "first"), says("user", "near")}})
	if got := keptIn(&out); !slices.Equal(got, []int64{near}) || l.past.prints.Len() != pastMost {
		t.Errorf("%d of %d, and %d are remembered", got, near, l.past.prints.Len())
	}
}
