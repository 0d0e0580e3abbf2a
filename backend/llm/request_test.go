package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sashabaranov/go-openai"
	"pgregory.net/rapid"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

func text(s string) record.Block { return record.TextBlock(s) }

func blobs(sha string) ([]byte, error) {
	if sha != "cafe" {
		return nil, errors.New("not there")
	}
	return []byte("png"), nil
}

// sketch is a request a line a message.
func sketch(messages []openai.ChatCompletionMessage) []string {
	var out []string
	for _, m := range messages {
		line := m.Role + " " + m.ToolCallID + "|" + m.Content
		for _, part := range m.MultiContent {
			line += "|" + part.Text
			if part.ImageURL != nil {
				line += "<" + part.ImageURL.URL + ">"
			}
		}
		for _, call := range m.ToolCalls {
			line += "|" + call.ID + "=" + call.Function.Name + call.Function.Arguments
		}
		out = append(out, line)
	}
	return out
}

func TestMessagesOfARequest(t *testing.T) {
	thought := record.Block{Kind: record.BlockThinking, Text: "hm"}
	odd := record.Block{Kind: record.BlockUnknown, JSON: `{"type":"hologram"}`}
	asIs := record.Block{Kind: record.BlockAsIs, JSON: `{"type":"document","title":"t","sentAsIs":true}`}
	png := "<data:image/png;base64,cG5n>"
	for name, c := range map[string]struct {
		system string
		in     []overlay.Message
		want   []string
	}{
		"system first": {"be brief", []overlay.Message{user(text("a"))}, []string{"system |be brief", "user |a"}},
		"nothing":      {"", nil, nil},
		"what only another agent can send": {
			"",
			[]overlay.Message{user(asIs, text("a")), assistant(asIs, text("b")), user(asIs), assistant(asIs), assistant(callBlock("c", "ls", "{}")), result("c", asIs)},
			[]string{"user |a", "assistant |b", "user |[empty message]", "assistant ||c=ls{}", "tool c|[no output]"},
		},
		"users joined by a blank line": {
			"", []overlay.Message{user(text("a")), user(text("b"), text("c")), user(text("d"))}, []string{"user |a\n\nb\nc\n\nd"},
		},
		"assistants joined if the first calls nothing": {
			"",
			[]overlay.Message{
				user(text("a")), assistant(text("b")), assistant(text("c"), callBlock("1", "ls", "{}")), result("1", text("r")),
				assistant(text("d")), assistant(text("e")),
			},
			[]string{"user |a", "assistant |b\n\nc|1=ls{}", "tool 1|r", "assistant |d\n\ne"},
		},
		"empty content with calls": {
			"",
			[]overlay.Message{user(text("a")), assistant(callBlock("1", "ls", "{}")), result("1", text("r"))},
			[]string{"user |a", "assistant ||1=ls{}", "tool 1|r"},
		},
		"an answer leads": {"s", []overlay.Message{assistant(text("b"))}, []string{"system |s", "user |[conversation continues]", "assistant |b"}},
		"an answer leads, with a call": {
			"",
			[]overlay.Message{assistant(callBlock("1", "ls", "{}")), result("1", text("r"))},
			[]string{"user |[conversation continues]", "assistant ||1=ls{}", "tool 1|r"},
		},
		"thinking and the unknown are not sent": {
			"",
			[]overlay.Message{user(text("a"), odd), assistant(thought, text("b")), assistant(thought), user(text("c"))},
			[]string{"user |a", "assistant |b", "user |c"},
		},
		"neighbours of what is left out": {
			"", []overlay.Message{user(text("a")), assistant(thought), user(text("c"))}, []string{"user |a\n\nc"},
		},
		"repeated ids": {
			"",
			[]overlay.Message{
				user(text("a")),
				assistant(callBlock("1", "ls", "{}"), callBlock("1", "cat", "{}"), callBlock("1_2", "pwd", "{}")),
				result("1", text("r1")), result("1", text("r2")), result("1_2", text("r3")),
				assistant(callBlock("1", "ls", "{}")), result("1", text("r4")),
			},
			[]string{
				"user |a", "assistant ||1=ls{}|1_3=cat{}|1_2=pwd{}", "tool 1|r1", "tool 1_3|r2", "tool 1_2|r3",
				"assistant ||1_4=ls{}", "tool 1_4|r4",
			},
		},
		"results for calls of an earlier answer": { // which no valid context holds
			"",
			[]overlay.Message{
				user(text("a")), assistant(callBlock("1", "ls", "{}")), assistant(text("b"), callBlock("2", "ls", "{}")), result("1", text("r1")), result("2", text("r2")),
			},
			[]string{"user |a", "assistant ||1=ls{}", "assistant |b|2=ls{}", "tool 2|r2"},
		},
		"arguments that are no object": {
			"",
			[]overlay.Message{user(text("a")), assistant(callBlock("1", "ls", `[1]`), callBlock("2", "ls", `{"a":`)), result("1", text("r")), result("2", text("r"))},
			[]string{"user |a", "assistant ||1=ls{}|2=ls{}", "tool 1|r", "tool 2|r"},
		},
		"a result without text, one without a call": {
			"",
			[]overlay.Message{user(text("a")), assistant(callBlock("1", "ls", "{}")), result("1"), result("1", text("again"))},
			[]string{"user |a", "assistant ||1=ls{}", "tool 1|[no output]"},
		},
		"images": {
			"",
			[]overlay.Message{user(text("a"), imageBlock("cafe", "image/png"), text("b")), user(text("c"))},
			[]string{"user ||a|" + png + "|b\n\nc"},
		},
		"text, then an image": {
			"", []overlay.Message{user(text("a")), user(imageBlock("cafe", "image/png"))}, []string{"user ||a|" + png},
		},
		"images that can't be sent": {
			"",
			[]overlay.Message{user(imageBlock("beef", "image/png")), user(imageBlock("cafe", "text/html,x")), user(text("a"))},
			[]string{"user |[image not available]\n\n[image not available]\n\na"},
		},
		"an image of an answer": {"", []overlay.Message{user(text("a")), assistant(text("b"), imageBlock("cafe", "image/png"))}, []string{"user |a", "assistant |b\n[image]"}},
		"images of results, behind them all": {
			"",
			[]overlay.Message{
				user(text("a")), assistant(callBlock("1", "shot", "{}"), callBlock("2", "ls", "{}")),
				result("1", text("r"), imageBlock("cafe", "image/png")), result("2", imageBlock("beef", "image/png")), user(text("b")),
			},
			[]string{
				"user |a", "assistant ||1=shot{}|2=ls{}", "tool 1|r\n[image]", "tool 2|[image not available]",
				"user ||[images of the tool results above]|" + png + "|b",
			},
		},
		"images of the last result": {
			"",
			[]overlay.Message{user(text("a")), assistant(callBlock("1", "shot", "{}")), result("1", imageBlock("cafe", "image/png"))},
			[]string{"user |a", "assistant ||1=shot{}", "tool 1|[image]", "user ||[images of the tool results above]|" + png},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := messages(c.system, c.in, blobs)
			if diff := cmp.Diff(c.want, sketch(got)); diff != "" {
				t.Error(diff)
			}
			if _, err := json.Marshal(got); err != nil {
				t.Error(err)
			}
		})
	}
	if got := sketch(messages("", []overlay.Message{user(imageBlock("cafe", "image/png"))}, nil)); got[0] != "user |[image not available]" {
		t.Errorf("without blobs: %q", got)
	}
}

// TestNamesOfFunctions that OpenAI would refuse, and with them every later request, are spelled so that it does not.
func TestNamesOfFunctions(t *testing.T) {
	for name, want := range map[string]string{
		"look": "look", "look-up_2": "look-up_2", "functions.look up": "functions_look_up", "näh": "n_h", "\xff": "_",
		strings.Repeat("x", 80): strings.Repeat("x", 64),
	} {
		if got := functionName(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestLongIdsAreShortened(t *testing.T) {
	long := strings.Repeat("é", 30) // of 60 bytes
	in := []overlay.Message{
		assistant(callBlock(long, "ls", "{}"), callBlock(long+"x", "ls", "{}")), result(long, text("r1")), result(long+"x", text("r2")),
		assistant(callBlock(long, "ls", "{}")), result(long, text("r3")),
	}
	for range 11 {
		forty := strings.Repeat("é", 20)
		in = append(in, assistant(callBlock(forty, "ls", "{}")), result(forty, text("r")))
	}
	checkRequest(t, in, messages("", in, nil))
}

// drawContext draws messages that are valid by overlay's rules: few ids, so that they repeat.
func drawContext(t *rapid.T) []overlay.Message {
	var in []overlay.Message
	draw := func(kinds ...record.Block) record.Block { return rapid.SampledFrom(kinds).Draw(t, "block") }
	some := func(kinds ...record.Block) []record.Block {
		out := make([]record.Block, rapid.IntRange(1, 3).Draw(t, "blocks"))
		for i := range out {
			out[i] = draw(kinds...)
		}
		return out
	}
	shown := []record.Block{text("x"), text(""), imageBlock("cafe", "image/png"), imageBlock("beef", "image/png")}
	for range rapid.IntRange(0, 12).Draw(t, "messages") {
		if rapid.Bool().Draw(t, "user") {
			in = append(in, user(some(shown...)...))
			continue
		}
		m := assistant(some(append(shown,
			record.Block{Kind: record.BlockThinking, Text: "hm"},
			callBlock("a", "ls", "{}"), callBlock("a_2", "ls", "[]"), callBlock("a_2_2", "ls", `{"x":1}`), callBlock(strings.Repeat("long", 20), "ls", "{}"),
		)...)...)
		in = append(in, m)
		for _, call := range m.Content {
			if call.Kind == record.BlockToolCall {
				in = append(in, result(call.ID, some(shown...)...))
			}
		}
	}
	return in
}

// checkRequest says what a chat API insists on, and that nothing is lost.
func checkRequest(t interface {
	Fatalf(format string, args ...any)
}, in []overlay.Message, out []openai.ChatCompletionMessage,
) {
	var wantCalls, gotCalls, open []string
	for i := range in {
		for _, b := range in[i].Content {
			if b.Kind == record.BlockToolCall {
				wantCalls = append(wantCalls, b.Name)
			}
		}
	}
	seen := map[string]bool{}
	before := ""
	for i, m := range out {
		if i == 0 && m.Role != openai.ChatMessageRoleUser {
			t.Fatalf("begins with %s", m.Role)
		}
		if m.Role == openai.ChatMessageRoleTool {
			if len(open) == 0 || open[0] != m.ToolCallID || m.Content == "" {
				t.Fatalf("message %d answers %q, open are %q", i, m.ToolCallID, open)
			}
			open = open[1:]
			before = m.Role
			continue
		}
		if len(open) > 0 {
			t.Fatalf("message %d is no result, open are %q", i, open)
		}
		if m.Role == before && (m.Role == openai.ChatMessageRoleUser || len(out[i-1].ToolCalls) == 0) {
			t.Fatalf("two %s in a row at %d", m.Role, i)
		}
		if m.Content == "" && len(m.MultiContent) == 0 && len(m.ToolCalls) == 0 {
			t.Fatalf("message %d is empty", i)
		}
		for _, call := range m.ToolCalls {
			if seen[call.ID] || call.ID == "" || len(call.ID) > maxID || !isObject(call.Function.Arguments) {
				t.Fatalf("call %+v at %d", call, i)
			}
			seen[call.ID] = true
			open = append(open, call.ID)
			gotCalls = append(gotCalls, call.Function.Name)
		}
		before = m.Role
	}
	if len(open) > 0 || len(wantCalls) != len(gotCalls) {
		t.Fatalf("%d calls of %d, open are %q", len(gotCalls), len(wantCalls), open)
	}
	if _, err := json.Marshal(out); err != nil {
		t.Fatalf("%v", err)
	}
}

func TestAnyContextMakesAValidRequest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawContext(rt)
		before := fmt.Sprint(in)
		out := messages("", in, blobs)
		checkRequest(rt, in, out)
		if fmt.Sprint(in) != before {
			rt.Fatalf("the context was changed")
		}
		// Text, and images that are there, all get through.
		for _, what := range []string{"x", "data:image/png", imageMissing} {
			want, got := 0, 0
			for i := range in {
				for _, b := range in[i].Content {
					switch {
					case b.Kind == record.BlockText:
						want += strings.Count(b.Text, what)
					case b.Kind == record.BlockImage && in[i].Role != record.RoleAssistant:
						if (b.Blob == "cafe") == (what != imageMissing) && what != "x" {
							want++
						}
					}
				}
			}
			for _, m := range out {
				got += strings.Count(m.Content, what)
				for _, part := range m.MultiContent {
					got += strings.Count(part.Text, what)
					if part.ImageURL != nil && what != "x" {
						got += strings.Count(part.ImageURL.URL, what)
					}
				}
			}
			if want != got {
				rt.Fatalf("%d times %q, want %d:\n%s", got, what, want, strings.Join(sketch(out), "\n"))
			}
		}
	})
}
