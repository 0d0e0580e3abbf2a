package record

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Output is what a tool gave back, out of a text that has it as JSON beside how that ended: so older versions of Codex tell the model of what a
// shell said. It is what a person reads; any other text is as it is.
func Output(text string) string {
	if !strings.HasPrefix(text, `{"output":`) || !gjson.Valid(text) {
		return text
	}
	value := gjson.Parse(text)
	if said := value.Get("output"); said.Type == gjson.String && value.Get("metadata.exit_code").Exists() {
		return said.Str
	}
	return text
}
