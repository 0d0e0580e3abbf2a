package opencode

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestWhatTheModelSees: opencode's rules for its next request, worked out on small sessions.
func TestWhatTheModelSees(t *testing.T) {
	const stored = "in a database: "
	const summary = "user: What did we do so far?\nassistant: S\n"
	tool := func(n int, more string) []string {
		return []string{
			strings.Replace(answered(n, "")[0], `"stop"`, `"tool-calls"`, 1),
			`{"id":"prt_` + string(rune('0'+n)) + `","type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{},"output":"abcdefghijklmnopqrstuvwxyz","metadata":{"exit":0},"time":{"end":1` + more + `}}}`,
		}
	}
	tests := []struct {
		name  string
		talk  conversation
		story string
		want  string
	}{
		{
			"a compaction", chat(asked(1, "one"), answered(2, "two"), marked(3, `,"auto":true`), answered(4, "S", `,"summary":true,"parentID":"msg_003"`), asked(5, "five")),
			"compaction from 4 threshold", summary + "user: five\n",
		},
		{
			"one by hand, with a tail", chat(asked(1, "one"), answered(2, "two"), asked(3, "three"), marked(4, `,"auto":false,"tail_start_id":"msg_003"`), answered(5, "S", `,"summary":true,"parentID":"msg_004"`)),
			"compaction from 3 manual", summary + "user: three\n",
		},
		{
			"a tail with a compaction in it",
			chat(
				asked(1, "one"), asked(2, "two"), marked(3, `,"auto":true,"tail_start_id":"msg_002"`), answered(4, "S", `,"summary":true,"parentID":"msg_003"`), tool(5, `,"compacted":1767348004000`),
				marked(6, `,"auto":true,"tail_start_id":"msg_002"`), answered(7, "Z", `,"summary":true,"parentID":"msg_006"`), asked(8, "eight"),
			),
			"compaction from 2 threshold: Z",
			"user: What did we do so far?\nassistant: Z\nuser: two\nuser: What did we do so far?\nassistant: S\nassistant: bash#c{}\ntoolResult: [Old tool result content cleared]\nuser: eight\n",
		},
		{
			"a tail that begins with a summary", chat(
				asked(1, "one"), marked(3, `,"auto":true`), answered(4, "S", `,"summary":true,"parentID":"msg_003"`), asked(5, "five"),
				marked(6, `,"auto":true,"tail_start_id":"msg_004"`), answered(7, "Z", `,"summary":true,"parentID":"msg_006"`),
			),
			"threshold: Z", "user: What did we do so far?\nassistant: Z\nassistant: S\nuser: five\n",
		},
		{
			"a tail that is gone keeps all, as it was said", chat(asked(1, "one"), marked(4, `,"auto":false,"tail_start_id":"msg_x"`), answered(5, "S", `,"summary":true,"parentID":"msg_004"`), asked(6, "six")),
			"compaction from 1 manual", "user: one\n" + summary + "user: six\n",
		},
		{
			"a tail behind its mark", chat(asked(1, "one"), marked(2, `,"auto":false,"tail_start_id":"msg_004"`), answered(3, "S", `,"summary":true,"parentID":"msg_002"`), asked(4, "four")),
			"compaction from 1 manual", "user: one\n" + summary + "user: four\n",
		},
		{
			"a tail that is the mark", chat(asked(1, "one"), marked(2, `,"auto":false,"tail_start_id":"msg_002"`), answered(3, "S", `,"summary":true,"parentID":"msg_002"`), asked(4, "four")),
			"compaction from 3 manual", summary + "user: four\n",
		},
		{
			"what was asked while the summary was made", chat(asked(1, "one"), marked(2, `,"auto":false`), asked(3, "three"), answered(4, "S", `,"summary":true,"parentID":"msg_002"`), asked(5, "five")),
			"manual", "user: What did we do so far?\nuser: three\nassistant: S\nuser: five\n",
		},
		{
			"a summary that broke off, with a tail", chat(
				asked(1, "one"), asked(2, "two"), marked(3, `,"auto":true,"tail_start_id":"msg_002"`),
				[]string{`{"id":"msg_004","role":"assistant","providerID":"p","summary":true,"parentID":"msg_003","time":{"created":1767348004000}}`, `{"id":"prt_4","type":"text","text":"so far"}`}, asked(5, "five"),
			),
			"edit", "user: What did we do so far?\nassistant: so far\nuser: two\nuser: five\n",
		},
		{
			"a summary that goes on, with a tail", chat(
				asked(1, "one"), asked(2, "two"), marked(3, `,"auto":true,"tail_start_id":"msg_002"`),
				[]string{`{"id":"msg_004","role":"assistant","providerID":"p","summary":true,"parentID":"msg_003","time":{"created":1767348004000}}`, `{"id":"prt_4","type":"text","text":"so far"}`},
			),
			"", "user: one\nuser: two\nuser: What did we do so far?\nassistant: so far\n",
		},
		{
			"and a compaction that is in it", chat(
				asked(1, "one"), marked(3, `,"auto":true`), answered(4, "S", `,"summary":true,"parentID":"msg_003"`), asked(5, "five"),
				marked(6, `,"auto":true,"tail_start_id":"msg_x"`), answered(7, "Z", `,"summary":true,"parentID":"msg_006"`),
			),
			"compaction from 1 threshold: Z",
			"user: one\nuser: What did we do so far?\nassistant: S\nuser: five\nuser: What did we do so far?\nassistant: Z\n",
		},
		{
			"of an overflow", chat(asked(1, "one"), marked(3, `,"auto":true,"overflow":true`), answered(4, "S", `,"summary":true,"parentID":"msg_003"`)),
			"overflow", summary,
		},
		{
			"one that failed", chat(asked(1, "one"), marked(3, `,"auto":true`), answered(4, "part", `,"summary":true,"parentID":"msg_003","error":{"name":"APIError","data":{"message":"no"}}`), asked(5, "five")),
			"(error)", "user: one\nuser: What did we do so far?\nuser: five\n",
		},
		{
			"one that is not done", chat(asked(1, "one"), answered(2, "two"), marked(3, `,"auto":true`), []string{`{"id":"msg_004","role":"assistant","providerID":"p","summary":true,"parentID":"msg_003","time":{"created":4}}`, `{"id":"prt_4","type":"text","text":"so far"}`}),
			"", "user: one\nassistant: two\nuser: What did we do so far?\nassistant: so far\n",
		},
		{
			"one that was stopped, and made in answer to the next prompt", chat(
				asked(1, "one"), marked(3, `,"auto":true`), answered(4, "part", `,"summary":true,"parentID":"msg_003","error":{"name":"MessageAbortedError"}`),
				asked(5, "five"), answered(6, "S", `,"summary":true,"parentID":"msg_005"`),
			),
			"message assistant: S", "user: one\nuser: What did we do so far?\nassistant: part\nuser: five\nassistant: S\n",
		},
		{
			"one that failed, with a tail that has an earlier one in it", chat(
				asked(1, "one"), asked(2, "two"), marked(3, `,"auto":true,"tail_start_id":"msg_002"`), answered(4, "S", `,"summary":true,"parentID":"msg_003"`),
				marked(6, `,"auto":true,"tail_start_id":"msg_002"`), answered(7, "part", `,"summary":true,"parentID":"msg_006","error":{"name":"APIError"}`), asked(8, "eight"),
			),
			"compaction from 8 edit", "user: What did we do so far?\nuser: two\nuser: What did we do so far?\nassistant: S\nuser: eight\n",
		},
		{
			"one that was stopped, with a tail", chat(
				asked(1, "one"), asked(2, "two"), marked(3, `,"auto":true,"tail_start_id":"msg_002"`), answered(4, "part", `,"summary":true,"parentID":"msg_003","error":{"name":"MessageAbortedError"}`), asked(5, "five"),
			),
			"edit", "user: What did we do so far?\nassistant: part\nuser: two\nuser: five\n",
		},
		{
			"thinking of a summary", chat(asked(1, "one"), marked(3, ""), append(answered(4, "S", `,"summary":true,"parentID":"msg_003"`), `{"id":"prt_0039","type":"reasoning","text":"hm"}`)),
			"note opencode.reasoning", summary,
		},
		{
			"thinking, which goes to any model", chat(
				asked(1, "one"), append(answered(2, "two"), `{"id":"prt_0019","type":"reasoning","text":"hm"}`), asked(3, "three"),
				append(strings.Split(strings.Replace(strings.Join(answered(4, "four"), "\x00"), `"providerID":"p"`, `"providerID":"q"`, 1), "\x00"), `{"id":"prt_0041","type":"reasoning","text":"oh"}`),
			),
			"message assistant: ~hm two", "user: one\nassistant: ~hm two\nuser: three\nassistant: four ~oh\n",
		},
		{
			"of the first versions, without a mark", chat(asked(1, "one"), []string{`{"id":"msg_002","role":"assistant","summary":true,"time":{"created":4,"completed":5}}`, `{"id":"prt_4","type":"text","text":"S"}`}, asked(3, "three")),
			"unknown", "assistant: S\nuser: three\n",
		},
		{
			"cleared output", chat(asked(1, "one"), tool(2, `,"compacted":1767348004000`), answered(3, "three"), asked(5, "five")),
			"5 prune [3]", "user: one\nassistant: bash#c{}\ntoolResult: [Old tool result content cleared]\nassistant: three\nuser: five\n",
		},
		{
			stored + "output that was cleared after what a revert goes back to", withSession(
				chat(
					asked(1, "one"), tool(2, `,"compacted":1767348002500`), tool(3, `,"compacted":1767348005500`),
					append(tool(4, `,"compacted":1767348005500`), `{"id":"prt_5","type":"text","text":"more"}`), asked(5, "five"), asked(6, "six"),
				), `,"revert":{"messageID":"msg_004","partID":"prt_5"}}`,
			),
			"15 prune [6 14]", "user: one\n" + strings.Repeat("assistant: bash#c{}\ntoolResult: [Old tool result content cleared]\n", 3),
		},
		{
			"a revert not yet carried out", withSession(chat(asked(1, "one"), answered(2, "two"), asked(3, "three"), answered(4, "four")), `,"revert":{"messageID":"msg_003"}}`),
			"branch from 2", "user: one\nassistant: two\n",
		},
		{
			"a revert into a message, of versions to 1.1", withSession(chat(asked(1, "one"), append(answered(2, "two"), `{"id":"prt_0021","type":"text","text":"more"}`)), `,"revert":{"messageID":"msg_002","partID":"prt_0021"}}`),
			"branch from 1", "user: one\n",
		},
		{
			stored + "a revert into a message", withSession(chat(asked(1, "one"), append(answered(2, "two"), `{"id":"prt_0021","type":"text","text":"more"}`)), `,"revert":{"messageID":"msg_002","partID":"prt_0021"}}`),
			"branch from 1", "user: one\nassistant: two\n",
		},
		{
			"a revert of all", withSession(chat(asked(1, "one")), `,"revert":{"messageID":"msg_001"}}`), "branch from 0", "",
		},
		{
			"a failed answer, one stopped in the middle, and a call that never ended", chat(
				asked(1, "one"), answered(2, "bad", `,"error":{"name":"APIError","data":{"message":"no"}}`), answered(3, "half", `,"error":{"name":"MessageAbortedError"}`),
				[]string{answered(4, "")[0], `{"id":"prt_4","type":"tool","callID":"c","tool":"bash","state":{"status":"running","input":{}}}`},
			),
			"(aborted)", "user: one\nassistant: half\nassistant: bash#c{}\ntoolResult!: [no result: interrupted]\n",
		},
		{
			"several steps in one message", chat(asked(1, "one"), append(tool(2, ""), `{"id":"prt_3","type":"step-finish","reason":"tool-calls","tokens":{"input":5,"output":1}}`,
				`{"id":"prt_4","type":"step-start"}`, `{"id":"prt_5","type":"text","text":"two","ignored":true}`, `{"id":"prt_6","type":"step-finish","reason":"stop"}`)),
			"", "user: one\nassistant: bash#c{}\ntoolResult: abcdefghijklmnopqrstuvwxyz\nassistant: two\n",
		},
		{
			"steps of a message that failed in the end", chat(
				asked(1, "one"),
				[]string{answered(2, "", `,"error":{"name":"APIError"}`)[0], tool(2, "")[1], `{"id":"prt_4","type":"step-start"}`, `{"id":"prt_5","type":"text","text":"two"}`}, asked(3, "three"),
			),
			"", "user: one\nuser: three\n",
		},
		{
			"what the user did not type", chat([]string{
				`{"id":"msg_001","role":"user","time":{"created":1}}`, `{"id":"prt_1","type":"text","synthetic":true,"text":"Continue"}`, `{"id":"prt_2","type":"text","ignored":true,"text":"not sent"}`,
				`{"id":"prt_3","type":"subtask","prompt":"p"}`, `{"id":"prt_4","type":"file","mime":"text/plain","url":"file:///x"}`,
			}),
			"", `user: Continue The following tool was executed by the user` + "\n",
		},
		{
			"files that are no pictures", chat([]string{
				`{"id":"msg_001","role":"user","time":{"created":1}}`, `{"id":"prt_1","type":"text","text":"look"}`,
				`{"id":"prt_2","type":"file","mime":"application/pdf","filename":"a.pdf","url":"data:application/pdf;base64,AQID"}`,
				`{"id":"prt_3","type":"file","mime":"application/pdf","filename":"b.pdf","url":"https://x.test/b.pdf"}`,
			}, []string{
				strings.Replace(answered(2, "")[0], `"stop"`, `"tool-calls"`, 1),
				`{"id":"prt_4","type":"tool","callID":"c","tool":"read","state":{"status":"completed","input":{},"output":"read","time":{"end":1},"attachments":[{"type":"file","mime":"application/pdf","url":"data:application/pdf;base64,AQID"},{"type":"file","mime":"text/plain","url":"data:text/plain;base64,AQID"},{"type":"file","mime":"application/zip","url":"https://x.test/a.zip"}]}}`,
				`{"id":"prt_5","type":"file","mime":"image/png","url":"data:image/png;base64,iVBORw0K"}`,
			}),
			"", "user: look [as it is] [as it is]\nassistant: read#c{}\ntoolResult: read [as it is] [as it is]\n",
		},
		{
			"a message as the first versions had it", chat([]string{`{"id":"msg_001","role":"user","parts":[{"type":"text","text":"one"}],"metadata":{"time":{"created":1767348000000}}}`},
				[]string{`{"id":"msg_002","role":"assistant","parts":[{"type":"step-start"},{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"c","toolName":"ls","args":{"a":1},"result":"x"}},{"type":"text","text":"two"}],"metadata":{"time":{"created":1767348000000,"completed":1},"assistant":{"modelID":"m","providerID":"p","tokens":{"input":3,"output":1}}}}`}),
			"", `user: one` + "\n" + `assistant: ls#c{"a":1} two` + "\ntoolResult: x\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			layouts := []func(conversation, map[string]string){conversation.newer}
			if strings.HasPrefix(test.name, stored) {
				layouts = nil
			}
			home := test.talk.home(t, layouts...)
			if layouts == nil {
				database(t, home, "opencode.db", test.talk)
			}
			env := sourcetest.Env(t, home)
			r := sourcetest.Read(t, Source{}, env, sourcetest.ByID(sourcetest.Find(t, Source{}, env))["ses_2"])
			view := r.Seen(t)
			if r.Err != nil || r.Damaged > 0 || view != test.want || !strings.Contains(r.Story(), test.story) {
				t.Errorf("%v\n%s---\n%s---\n%s", r.Err, view, test.want, r.Story())
			}
		})
	}
}

func withSession(c conversation, end string) conversation {
	c.session = strings.TrimSuffix(c.session, "}") + end
	return c
}
