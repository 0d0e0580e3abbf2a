//go:build !race

package all

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/crabtalk"
	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/openclaw"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/picoclaw"
	"palimpsest/backend/sources/sourcetest"
)

const drawnID = "00000001-0000-7000-8000-000000000001"

// drawnLines are lines of some formats that point at each other in every way, some of them damaged.
func drawnLines(t *rapid.T, first []string, kinds ...func(n, other int) string) string {
	var out strings.Builder
	for _, line := range first {
		out.WriteString(line + "\n")
	}
	other := rapid.IntRange(0, 12)
	for n := range rapid.IntRange(1, 16).Draw(t, "lines") {
		out.WriteString(rapid.SampledFrom(kinds).Draw(t, "kind")(n, other.Draw(t, "other")))
		out.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", "\n\n", "\n{half\n", "\n\xEF\xBB\xBF\n"}).Draw(t, "end"))
	}
	text := out.String()
	return text[:len(text)-rapid.IntRange(0, min(3, len(text))).Draw(t, "cut")]
}

func line(format string) func(n, other int) string {
	return func(n, other int) string {
		return strings.NewReplacer("$N", fmt.Sprint(n), "$O", fmt.Sprint(other), "$M", fmt.Sprint(other%3), "$T", fmt.Sprintf("2026-01-02T10:00:%02dZ", n)).Replace(format)
	}
}

func claudeLines(t *rapid.T) string {
	row := `{"uuid":"u$N","parentUuid":"u$O","sessionId":"` + drawnID + `","timestamp":"$T",`
	answer := row + `"type":"assistant","message":{"id":"m$M","role":"assistant","model":"claude-$M","usage":{"input_tokens":$N,"output_tokens":2},"content":`
	return drawnLines(
		t, nil,
		line(row+`"type":"user","message":{"role":"user","content":"ask $N"}}`),
		line(row+`"type":"user","isSidechain":true,"message":{"role":"user","content":"aside $N"}}`),
		line(`{"uuid":"u$N","parentUuid":null,"type":"user","message":{"role":"user","content":"a root"}}`),
		line(answer+`[{"type":"text","text":"say $N"}]}}`), line(answer+`[{"type":"tool_use","id":"c$M","name":"Bash","input":{"command":"ls"}}]}}`),
		line(answer+`[{"type":"thinking","thinking":"hm"}]},"isSidechain":true}`),
		line(`{"uuid":"v$N","parentUuid":"u$O","sessionId":"other","type":"assistant","message":{"id":"m$M","role":"assistant","usage":{"input_tokens":7},"content":"elsewhere"}}`),
		line(row+`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c$M","content":"out"}]}}`),
		line(row+`"type":"system","subtype":"compact_boundary","logicalParentUuid":"u$O","compactMetadata":{"trigger":"auto","preTokens":9}}`),
		line(row+`"type":"user","isCompactSummary":true,"message":{"role":"user","content":"summary $N"}}`),
		line(row+`"type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"compactedToolIds":["c$M"],"tokensSaved":5}}`),
		line(`{"type":"ai-title","aiTitle":"t$M"}`), line(`{"type":"progress","uuid":"u$N","parentUuid":"u$O"}`), line(`{"type":"progress","uuid":"u$N","parentUuid":null}`),
		line(row+`"type":"attachment","attachment":{"type":"queued_command","prompt":"more"}}`),
		line(`{"uuid":"u$O","parentUuid":"u$M","sessionId":"`+drawnID+`","type":"assistant","message":{"id":"m$M","role":"assistant","content":"once more $N"}}`),
		line(`{"uuid":"u$O","parentUuid":null,"sessionId":"elsewhere","type":"user","message":{"role":"user","content":"copied $N"}}`),
		line(`{"type":"summary","summary":"about $N","leafUuid":"u$O"}`), line(`{"type":"user","message":{"role":"user","content":"without an id $N"}}`),
		line(row+`"type":"user","isMeta":true,"message":{"role":"user","content":"<command-name>/x</command-name>"}}`),
		line(answer+`"no"},"isApiErrorMessage":true}`), line(answer+`"said"},"forkedFrom":{"sessionId":"other"}}`),
		line(row+`"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preservedSegment":{"headUuid":"u$M","tailUuid":"u$O"}}}`),
		line(row+`"type":"system","subtype":"compact_boundary","logicalParentUuid":"u$O","compactMetadata":{"preservedMessages":{"anchorUuid":"u$N","uuids":["u$M","u$O"]}}}`),
		line(row+`"type":"system","subtype":"compact_boundary","logicalParentUuid":"u$O","compactMetadata":{"preservedMessages":{"uuids":["u$M","u$O"]}}}`),
		line(`{"type":"last-prompt","leafUuid":"u$O","explicit":true}`), line(`{"type":"last-prompt","leafUuid":null,"explicit":true}`),
		line(row+`"type":"system","subtype":"local_command","content":"ran"}`), line(row+`"type":"user","isVisibleInTranscriptOnly":true,"message":{"content":"seen"}}`),
		line(row+`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c$M","content":"a"},{"type":"text","text":"and $N"}]}}`),
		line(`{"type":"custom-title","customTitle":"t$M"}`), line(`{"type":"file-history-snapshot","messageId":"u$O"}`),
	)
}

func codexLines(t *rapid.T) string {
	item := `{"timestamp":"$T","type":"response_item","payload":`
	event := `{"timestamp":"$T","type":"event_msg","payload":`
	return drawnLines(
		t, []string{`{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"` + drawnID + `","timestamp":"2026-01-02T10:00:00Z"}}`},
		line(item+`{"type":"message","role":"user","content":[{"type":"input_text","text":"ask $N"}]}}`),
		line(item+`{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]}}`),
		line(item+`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"say $N"}]}}`),
		line(item+`{"type":"reasoning","summary":[{"text":"hm $N"}],"encrypted_content":"x"}}`),
		line(item+`{"type":"function_call","name":"shell","call_id":"c$M","arguments":"{}"}}`),
		line(item+`{"type":"function_call_output","call_id":"c$M","output":"out $N"}}`),
		line(event+`{"type":"token_count","info":{"total_token_usage":{"t":$N},"last_token_usage":{"input_tokens":$N,"output_tokens":5}}}}`),
		line(event+`{"type":"thread_rolled_back","num_turns":$M}}`), line(event+`{"type":"task_complete"}}`), line(event+`{"type":"agent_message"}}`),
		line(event+`{"type":"exec_command_end","call_id":"c$M","exit_code":1}}`), line(event+`{"type":"error","message":"no"}}`),
		line(`{"timestamp":"$T","type":"turn_context","payload":{"model":"gpt-$M"}}`), line(`{"timestamp":"$T","type":"compacted","payload":{"message":"sum $N"}}`),
		line(`{"timestamp":"$T","type":"session_meta","payload":{"id":"other","timestamp":"$T"}}`), line(event+`{"type":"odd"}}`),
		line(`{"timestamp":"$T","type":"token_usage_record","payload":{"usage":{"input_tokens":$N,"output_tokens":1}}}`),
		line(`{"timestamp":"$T","type":"compacted","payload":{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"kept $N"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"kept, too"}]},{"type":"compaction","encrypted_content":"x"}]}}`),
		line(`{"timestamp":"$T","type":"turn_context","payload":{"model":"gpt","effort":"e$M"}}`), line(`{"ordinal":$O,"timestamp":"$T","type":"world_state","payload":{}}`),
		line(item+`{"type":"web_search_call","action":{}}}`), line(item+`{"type":"custom_tool_call","name":"apply_patch","call_id":"c$M","input":"x"}}`),
		line(item+`{"type":"custom_tool_call_output","call_id":"c$M","output":"{\"output\":\"o$N\",\"metadata\":{\"exit_code\":$M}}"}}`),
		line(item+`{"type":"local_shell_call","call_id":"c$M","action":{"type":"exec"}}}`), line(item+`{"type":"message","role":"developer","content":"do $N"}}`),
		line(event+`{"type":"task_complete","error":{"message":"failed"}}}`), line(event+`{"type":"agent_reasoning"}}`), line(event+`{"type":"turn_aborted"}}`),
		line(event+`{"type":"collab_agent_spawn_end","call_id":"c$M","new_thread_id":"t$N","sender_thread_id":"`+drawnID+`"}}`),
		line(event+`{"type":"item_completed","item":{"type":"CollabAgentToolCall","id":"c$M","status":"failed","receiver_thread_ids":["t$N"]}}}`),
		line(event+`{"type":"patch_apply_end","call_id":"c$M","success":false}}`), line(event+`{"type":"token_count","info":null}}`),
		line(event+`{"type":"thread_rolled_back","num_turns":9}}`), line(`{"type":"message","role":"user","content":"bare $N"}`), line(`{"record_type":"state"}`),
	)
}

func piLines(t *rapid.T) string {
	entry := `{"id":"e$N","parentId":"e$O","timestamp":"$T",`
	first := rapid.SampledFrom([][]string{
		{`{"type":"session","version":3,"id":"` + drawnID + `","timestamp":"2026-01-02T10:00:00Z"}`},
		{`{"type":"session","id":"` + drawnID + `","provider":"p","modelId":"m0","thinkingLevel":"l0"}`},
		nil,
	}).Draw(t, "first")
	return drawnLines(
		t, first,
		line(entry+`"type":"message","message":{"role":"user","content":"ask $N"}}`),
		line(entry+`"type":"message","message":{"role":"assistant","provider":"p","model":"m$M","content":[{"type":"toolCall","id":"c$M","name":"bash","arguments":{}}]}}`),
		line(entry+`"type":"message","message":{"role":"toolResult","toolCallId":"c$M","content":[{"type":"text","text":"out"}]}}`),
		line(entry+`"type":"compaction","summary":"sum","firstKeptEntryId":"e$O","tokensBefore":9}`), line(entry+`"type":"branch_summary","summary":"s$N"}`),
		line(entry+`"type":"context_edit","targetId":"e$O","replacement":{"content":"else"}}`), line(entry+`"type":"label","targetId":"e$O","label":"here"}`),
		line(entry+`"type":"model_change","provider":"p","modelId":"m$M"}`), line(`{"type":"session","id":"x"}`),
		line(entry+`"type":"context_edit","targetId":"e$O","replacement":null}`), line(entry+`"type":"thinking_level_change","thinkingLevel":"l$M"}`),
		line(entry+`"type":"compaction","summary":"sum","firstKeptEntryId":"e$O","tokensBefore":9,"systemMessage":{"role":"system","content":"be"}}`),
		line(entry+`"type":"message","message":{"role":"system","content":"be $N","sections":{"a":"b"}}}`),
		line(entry+`"type":"custom_message","customType":"x","content":"note $N","display":true}`), line(entry+`"type":"custom","data":{"n":$N}}`),
		line(entry+`"type":"message","message":{"role":"bashExecution","command":"ls","output":"o","exitCode":$M}}`),
		line(`{"id":"e$O","parentId":"e$M","type":"message","message":{"role":"user","content":"the id again $N"}}`),
		line(`{"id":"e$N","parentId":null,"type":"message","message":{"role":"user","content":"a root"}}`), line(entry+`"type":"label","targetId":"e$O"}`),
		line(entry+`"type":"message","message":{"role":"assistant","provider":"p","model":"m","stopReason":"error","errorMessage":"no","content":[]}}`),
		line(`{"type":"message","message":{"role":"user","content":"without an id"}}`), line(entry+`"type":"session_info","name":"n$M"}`), line(`[1]`), line(`"text"`),
		line(entry+`"type":"compaction","summary":"sum","firstKeptEntryIndex":$O,"tokensBefore":9}`),
	)
}

func openclawLines(t *rapid.T) string {
	entry := `{"id":"e$N","parentId":"e$O","timestamp":"$T",`
	answer := entry + `"type":"message","message":{"role":"assistant","api":"anthropic-messages","provider":"anthropic",`
	side := `{"id":"e$N","parentId":"e$O","appendMode":"side",`
	return drawnLines(
		t, []string{`{"type":"session","version":3,"id":"` + drawnID + `","timestamp":"2026-01-02T10:00:00Z"}`},
		line(entry+`"type":"message","message":{"role":"user","content":"ask $N"}}`), line(side+`"type":"message","message":{"role":"user","content":"aside $N"}}`),
		line(entry+`"type":"message","message":{"role":"assistant","provider":"p","model":"m$M","content":[{"type":"toolCall","id":"c$M","name":"exec","arguments":{}}]}}`),
		line(entry+`"type":"message","message":{"role":"toolResult","toolCallId":"c$M","content":[{"type":"text","text":"out"}]}}`),
		line(entry+`"type":"message","message":{"role":"assistant","stopReason":"aborted","content":[{"type":"text","text":"half $N"}]}}`),
		line(entry+`"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"NO_REPLY"}]}}`),
		line(entry+`"type":"message","message":{"role":"user","content":"[OpenClaw heartbeat poll]"}}`), line(entry+`"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"HEARTBEAT_OK"}]}}`),
		line(answer+`"model":"claude-opus-4-5","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"x"},{"type":"text","text":"say $N"}]}}`),
		line(answer+`"model":"claude-opus-4-5","content":[{"type":"text","text":"say $N"}]}}`), line(answer+`"model":"claude-3-7","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"x"}]}}`),
		line(entry+`"type":"compaction","summary":"sum","firstKeptEntryId":"e$O","tokensBefore":9}`), line(entry+`"type":"branch_summary","summary":"s$N"}`),
		line(entry+`"type":"reset","firstKeptEntryId":"e$O"}`), line(entry+`"type":"reset"}`), line(entry+`"type":"label","targetId":"e$O","label":"here"}`),
		line(entry+`"type":"leaf","targetId":"e$O"}`), line(entry+`"type":"leaf","targetId":null}`), line(entry+`"type":"leaf","targetId":"e$O","appendParentId":"e$M"}`),
		line(entry+`"type":"mystery"}`), line(`{"type":"mystery"}`), line(`{"type":"session","id":"x"}`), line(entry+`"type":"model_change","provider":"p","modelId":"m$M"}`),
		line(`{"id":"e$O","parentId":"e$M","type":"message","message":{"role":"user","content":"the id again $N"}}`),
		line(entry+`"type":"custom_message","customType":"x","content":"note $N","display":true}`), line(`{"type":"message","message":{"role":"user","content":"without an id"}}`),
	)
}

func picoclawLines(t *rapid.T) string {
	at := `,"created_at":"2026-01-02T10:00:0$MZ"}`
	return drawnLines(
		t, nil, line(`{"role":"user","content":"ask $N"`+at), line(`{"role":"user","content":"without a time $N"}`),
		line(`{"role":"assistant","model_name":"m$M","content":"say $N","reasoning_content":"hm","tool_calls":[{"id":"c$M","function":{"name":"exec","arguments":"{}"}}]`+at),
		line(`{"role":"assistant","model_name":"deepseek-reasoner","content":"say $N","reasoning_content":"hm"`+at), line(`{"role":"tool","tool_call_id":"c$M","content":"Error: $N"`+at), line(`{"role":"system","content":"be $N"`+at), line(`{"odd":$N}`), line(`[$N]`),
	)
}

func crabtalkLines(t *rapid.T) string {
	return drawnLines(
		t, []string{`{"agent":"a","created_by":"u","created_at":"2026-01-02T10:00:00Z","title":"t"}`},
		line(`{"role":"user","content":"ask $N","timestamp":"$T"}`), line(`{"role":"assistant","content":"say $N"}`), line(`{"compact":"sum $N"}`),
		line(`{"role":"assistant","content":"","tool_calls":[{"id":"c$M","function":{"name":"bash","arguments":"{}"}}]}`),
		line(`{"role":"tool","tool_call_id":"c$M","content":"out $N"}`), line(`{"compact":{"summary":"sum $N"},"archived_at":"$T"}`),
		line(`{"event":"done","ts":"$T","model":"m$M","iterations":$M,"usage":{"input_tokens":$N,"output_tokens":1}}`), line(`{"event":"text_delta","ts":"$T"}`),
		line(`{"odd":$N}`), line(`{"role":"user","auto_injected":true,"content":"put $N"}`),
	)
}

func geminiLines(t *rapid.T) string {
	user := `{"id":"m$O","timestamp":"$T","type":"user","content":`
	answer := `{"id":"m$O","timestamp":"$T","type":"gemini","content":`
	again := `{"id":"a$M","timestamp":"$T","type":"gemini","content":`
	calls := `"toolCalls":[{"id":"c$M","name":"ls","args":{},"status":"success","result":[{"functionResponse":{"id":"c$M","name":"ls","response":{"output":"out $N"}}}]}`
	summary := `{"id":"s$N","type":"user","content":"<state_snapshot>sum $N</state_snapshot>"}`
	kept := `{"id":"m$M","type":"user","content":"ask $M"},{"id":"a$M","type":"gemini","content":"say $M"}`
	said := `{"id":"t$N","timestamp":"$T","type":"gemini","content":"","thoughts":[{"subject":"hm","description":"$N"}],"model":"g","tokens":{"input":$N,"output":1}`
	turn := `{"id":"u$N","timestamp":"$T","type":"user","content":"ask $N"}` + "\n" + said + "}\n" + said + `,` + strings.ReplaceAll(calls, "c$M", "c$N") + "]}\n" + `{"$set":{"lastUpdated":"$T"}}`
	return drawnLines(
		t, []string{`{"sessionId":"` + drawnID + `","projectHash":"h","startTime":"2026-01-02T10:00:00.000Z","kind":"main"}`},
		line(turn), line(turn), line(turn), line(turn), line(turn+"\n"+`{"id":"r$N","type":"user","content":[{"functionResponse":{"id":"c$N","name":"ls","response":{"output":"out $N"}}}]}`),
		line(user+`[{"text":"ask $N"}]}`), line(user+`"ask $M"}`), line(user+`[{"functionResponse":{"id":"c$M","name":"ls","response":{"output":"out $N"}}}]}`),
		line(answer+`"say $N","tokens":{"input":$N,"output":1},"model":"g$M"}`), line(answer+`"","thoughts":[{"subject":"hm","description":"$N"}]}`), line(answer+`""}`),
		line(answer+`"say $M",`+calls+`]}`), line(again+`"say $M"}`), line(again+`"say $M",`+calls+`]}`), line(again+`"say $M",`+calls+`,{"id":"d$N","name":"cat","args":{},"status":"executing"}]}`),
		line(again+`"","model":"g","tokens":{"input":$M}}`), line(again+`"",`+calls+`]}`), line(again+`"","toolCalls":[{"id":"c$M","name":"ls","args":{},"status":"executing"}]}`), line(again+`"say $N"}`),
		line(`{"id":"i$N","timestamp":"$T","type":"info","content":"told $N"}`), line(`{"type":"gemini","content":"without an id $N"}`), line(`{"odd":$N}`), line(`{"id":$N,"type":"gemini","content":"a number"}`),
		line(`{"$set":{"lastUpdated":"$T"}}`), line(`{"$set":{"lastUpdated":"$T"}}`), line(`{"$set":{"sessionId":"`+drawnID+`"}}`), line(`{"$set":{"summary":"about $N"}}`), line(`{"$rewindTo":"m$O"}`), line(`{"$rewindTo":"a$M"}`),
		line(`{"$set":{"messages":[`+kept+`]}}`), line(`{"$set":{"messages":[{"id":"m$O","type":"user","content":"other $N"},`+kept+`]}}`), line(`{"$set":{"messages":[`+summary+`,{"id":"k$N","type":"gemini","content":"Got it. Thanks for the additional context!"},`+kept+`]}}`),
		line(summary), line(`{"$patch":{"removeIds":["m$M","m$O"],"orderIds":["s$M","a$M"]}}`), line(`{"$patch":{"updates":[{"id":"a$M","content":"changed $N","toolCalls":[{"id":"c$M","result":[{"functionResponse":{"id":"c$M","name":"ls","response":{"output":"masked"}}}]}]}]}}`),
		line(`{"$patch":{"updates":[{"id":"m$O","content":[{"functionResponse":{"id":"c$M","name":"ls","response":{"output":"masked $N"}}}]}]}}`),
		line(`{"sessionId":"`+drawnID+`","projectHash":"h","messages":[`+kept+`]}`),
	)
}

// TestDrawnInPieces: whatever the lines of a file say, and wherever it ended when it was read, what is read of it is the same, also by one
// program after the other.
func TestDrawnInPieces(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	for _, c := range []struct {
		source sources.Follower
		lines  func(*rapid.T) string
		name   string
	}{{claudecode.Source{}, claudeLines, drawnID}, {codex.Source{}, codexLines, "rollout-2026-01-02T10-00-00-" + drawnID}, {pi.Source{}, piLines, "2026_" + drawnID}, {openclaw.Source{}, openclawLines, drawnID}, {picoclaw.Source{}, picoclawLines, drawnID}, {crabtalk.Source{}, crabtalkLines, drawnID}, {gemini.Source{}, geminiLines, "session-2026-01-02T10-00-00000001"}} {
		t.Run(c.source.Agent(), func(t *testing.T) {
			went := 0
			path := filepath.Join(t.TempDir(), c.name+".jsonl")
			rapid.Check(t, func(t *rapid.T) {
				text := c.lines(t)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				cuts := rapid.SliceOfN(rapid.IntRange(0, len(text)), 1, 6).Draw(t, "cuts")
				slices.Sort(cuts)
				pieces := sourcetest.Pieces
				if rapid.Bool().Draw(t, "kept") {
					pieces = sourcetest.KeptPieces
				}
				went += pieces(t, c.source, env, sources.Found{Agent: c.source.Agent(), ID: drawnID, Files: []string{path}}, append(cuts, len(text)))
			})
			if went == 0 {
				t.Error("no reading went on")
			}
			t.Log(went)
		})
	}
}
