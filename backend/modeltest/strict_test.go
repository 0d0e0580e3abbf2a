package modeltest

import (
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	const user, said = `{"role":"user","content":"hi"}`, `{"role":"assistant","content":"yes"}`
	const calls = `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}`
	const a, b = `{"role":"tool","tool_call_id":"a","content":"1"}`, `{"role":"tool","tool_call_id":"b","content":"2"}`
	for messages, says := range map[string]string{
		user: "", `{"role":"system","content":"s"},` + user: "", user + "," + said + "," + user: "", user + "," + calls + "," + b + "," + a: "",
		user + "," + calls + "," + a + "," + b + "," + said + "," + user: "",
		"":                "nothing to answer",
		said:              "speaks first",
		user + "," + said: "nothing to answer",
		user + "," + user: "user speaks twice",
		user + `,{"role":"system","content":"s"}`: "does not speak first",
		user + "," + said + "," + said:            "first or twice",
		user + "," + a:                            "no open call",
		user + "," + calls + "," + a:              `"b" has no result`,
		user + "," + calls + "," + user:           "has no result",
		user + "," + calls + "," + a + "," + a:    "no open call",
		user + "," + calls + "," + a + "," + b + "," + strings.ReplaceAll(calls, `"id":"b"`, `"id":"c"`): "taken",
		strings.Replace(user, `"hi"`, `""`, 1):                          "it is empty",
		strings.Replace(user, `"hi"`, `[]`, 1):                          "it is empty",
		strings.Replace(user, `"hi"`, `null`, 1):                        "it is empty",
		strings.Replace(user, `"hi"`, `5`, 1):                           "neither text nor parts",
		strings.Replace(user, `"hi"`, `[{"type":"text","text":""}]`, 1): "a part of it is empty",
		user + `,{"role":"assistant","content":""}`:                     "it is empty",
		user + "," + strings.Replace(calls, `"{}"`, `"{"`, 1):           "are no object",
		user + "," + strings.ReplaceAll(calls, `"ls"`, `"ls it"`):       "names no function",
		`{"role":"wizard","content":"x"}`:                               "is no role",
	} {
		err := Validate(`{"model":"m","messages":[` + messages + `]}`)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v, want %q", messages, err, says)
		}
	}
	if err := Validate(`{"messages":[` + user + `]}`); err == nil {
		t.Error("without a model")
	}
	if err := Validate(`{"model":"m","messages":[` + user + `],"tools":[{"function":{"name":"a","parameters":{}}},{"function":{"name":"a","parameters":{}}}]}`); err == nil {
		t.Error("two tools of one name")
	}
}
