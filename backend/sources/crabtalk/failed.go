package crabtalk

import (
	"regexp"
	"strings"

	"github.com/tidwall/gjson"
)

// exited is how the first or the last line of an output tells an exit code other than 0.
var exited = regexp.MustCompile(`(?i)^\[?(?:exit(?:ed)?(?: with)?(?: code| status)?|status)[:= ]+(?:exit status[: ]+)?-?0*[1-9]\d*\b`)

// failures begin what CrabTalk says where a tool could not do what it was asked to.
var failures = []string{"error:", "error executing ", "failed to ", "bash failed", "tool failed", "unknown tool", "tool not available", "permission denied", "invalid arguments"}

// failed tells from the text of a result whether the tool failed: its early forms keep nothing else of it.
func failed(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") && gjson.Valid(text) {
		for _, name := range []string{"exit_code", "exitCode", "exit_status"} {
			if code := gjson.Get(text, name); code.Type == gjson.Number {
				return code.Num != 0
			}
		}
		return gjson.Get(text, "error").Type == gjson.String && !gjson.Get(text, "output").Exists()
	}
	const most = 200
	start := strings.ToLower(text[:min(len(text), most)])
	for _, beginning := range failures {
		if strings.HasPrefix(start, beginning) {
			return true
		}
	}
	return exited.MatchString(text) || exited.MatchString(text[strings.LastIndexByte(text, '\n')+1:])
}
