package glean

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// Ran is what the model is told of a command that a person ran, as pi and the programs built on it say it.
func Ran(message jsonl.Object) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Ran `%s`\n", jsonl.Text(message.Get("command")))
	if output := jsonl.Text(message.Get("output")); output != "" {
		fmt.Fprintf(&b, "```\n%s\n```", output)
	} else {
		b.WriteString("(no output)")
	}
	code := message.Get("exitCode")
	if message.Get("cancelled").Bool() {
		b.WriteString("\n\n(command cancelled)")
	} else if code.Type != gjson.Null && code.Int() != 0 {
		fmt.Fprintf(&b, "\n\nCommand exited with code %s", code.Raw)
	}
	if path := jsonl.Text(message.Get("fullOutputPath")); path != "" && message.Get("truncated").Bool() {
		fmt.Fprintf(&b, "\n\n[Output truncated. Full output: %s]", path)
	}
	return b.String()
}
