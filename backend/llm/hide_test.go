package llm

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAKeyIsHiddenHoweverItIsCut: what comes out does not depend on the pieces, and never has the key.
func TestAKeyIsHiddenHoweverItIsCut(t *testing.T) {
	const key = "sk-aasecret0123aa"
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{key, "sk-", "a", "sk-aasecret0123", "x", "é", key[3:], " "})).Draw(t, "parts")
		whole := strings.Join(parts, "")
		h := hider{key: key}
		var out strings.Builder
		for rest := whole; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			out.WriteString(h.next(rest[:n]))
			rest = rest[n:]
		}
		last := h.rest()
		want := strings.ReplaceAll(whole, key, hidden)
		if got := out.String() + last; strings.Contains(got, key) || got != want && last != hidden {
			t.Errorf("%q became %q, not %q", whole, got, want)
		}
	})
}

// TestAServerThatRepeatsTheKey has it in nothing of what the client returns.
func TestAServerThatRepeatsTheKey(t *testing.T) {
	cut := len(testKey) / 2
	call := `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c-` + testKey + `","function":{"name":"bash","arguments":"{\"command\":\"echo ` + testKey + `\"}"}}]}}]}`
	client, _ := served(t, func(w http.ResponseWriter, _ *http.Request) {
		for _, line := range []string{
			`{"model":"` + testKey + `","choices":[{"delta":{"reasoning_content":"I got ` + testKey[:cut] + `"}}]}`,
			`{"choices":[{"delta":{"reasoning_content":"` + testKey[cut:] + `, no more"}}]}`,
			`{"choices":[{"delta":{"content":"You sent ` + testKey[:cut] + `"}}]}`,
			`{"choices":[{"delta":{"content":"` + testKey[cut:] + `"}}]}`,
			call,
			`{"choices":[{"delta":{"content":" and ` + testKey[:len(testKey)-1] + `"},"finish_reason":"tool_calls"}]}`,
			`[DONE]`,
		} {
			_, err := w.Write([]byte("data: " + line + "\n\n"))
			if err != nil {
				t.Error(err)
			}
		}
	})
	var deltas strings.Builder
	answer, err := client.Stream(t.Context(), question(), func(d Delta) {
		deltas.WriteString(d.Thinking + d.Text)
		if d.Call != nil {
			deltas.WriteString(d.Call.ID + d.Call.Arguments)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	all := deltas.String() + answer.Text + answer.Thinking + answer.Model + answer.Calls[0].ID + answer.Calls[0].Arguments
	if strings.Contains(all, testKey[:len(testKey)-1]) {
		t.Error(all)
	}
	if answer.Text != "You sent [key] and [key]" || answer.Thinking != "I got [key], no more" || answer.Calls[0].Arguments != `{"command":"echo [key]"}` {
		t.Errorf("%+v", answer)
	}
}

// TestWhatBreaksOffKeepsItsEnd: what was held back is not lost with the connection.
func TestWhatBreaksOffKeepsItsEnd(t *testing.T) {
	client, _ := served(t, func(w http.ResponseWriter, _ *http.Request) {
		_, err := w.Write([]byte(`data: {"choices":[{"delta":{"content":"so far ` + testKey[:2] + `"}}]}` + "\n\n"))
		if err != nil {
			t.Error(err)
		}
	})
	var said string
	answer, err := client.Stream(t.Context(), question(), func(d Delta) { said += d.Text })
	if want := "so far " + testKey[:2]; err == nil || answer.Text != want || said != want {
		t.Errorf("%q, %q, %v", answer.Text, said, errors.Unwrap(err))
	}
}

// TestAWordForAKeyIsNoSecret: local servers take any, and what a tool is to run stays as it was asked for.
func TestAWordForAKeyIsNoSecret(t *testing.T) {
	for key, secret := range map[string]bool{
		"lm-studio": false, "password1": false, "not-a-key-at-all-here": false, "1234567890123456": false, "sk-1234567890abc": true,
	} {
		text := "open " + key + " now"
		h := hider{key: key}
		if got := hide(text, key); (got != text) != secret {
			t.Errorf("%s: %q", key, got)
		}
		if got := h.next(text) + h.rest(); (got != text) != secret {
			t.Errorf("%s: %q in pieces", key, got)
		}
	}
}

// TestAKeyInDisguise: what a server says is shown without what hides, so the key is looked for after that.
func TestAKeyInDisguise(t *testing.T) {
	const key = "sk-secret/0123456789"
	for _, words := range []string{
		"no: sk-se\u200bcret/0123456789", "no: sk-se\u2060\u202ecret/0123456789", `no: sk-secret\/0123456789`, `no: \u0073k-secret/0123456789`,
		`no: \u0073k-se\u200bcret\/0123456789`,
	} {
		if got := harmless(words, key); got != "no: "+hidden {
			t.Errorf("%q became %q", words, got)
		}
	}
}
